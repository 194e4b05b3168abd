// Runs in a page. Each of its functions returns what a reader would complain about, one sentence each. `layout`: what
// sticks out of the page or is cut, names that break inside a word, an underline through the underscores of a name, a
// current page out of sight in its navigation, a long sample that does not say that it goes on. `colours`: text that is
// too faint. `focus`: what cannot be used by the keyboard alone.
(() => {
  const complaints = [];
  /** A longer run of letters is a hash or an address, which no narrow column holds. */
  const WORD_MAX = 34;

  const styleOf = (element) => getComputedStyle(element);
  const nameOf = (element) => {
    const names = element.className
      ? `.${String(element.className.baseVal ?? element.className)
          .trim()
          .replaceAll(' ', '.')}`
      : '';
    return `<${element.tagName.toLowerCase()}${names}> ${JSON.stringify(element.textContent.trim().slice(0, 50))}`;
  };
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getClientRects().length > 0;
  const scrolls = (value) => value === 'auto' || value === 'scroll';

  function findOverflow() {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width)
      complaints.push(`the page is ${document.documentElement.scrollWidth} px wide in a window of ${width}`);
    for (const element of document.body.querySelectorAll('*')) {
      if (!isShown(element) || element.closest('svg, .skip, input, select, textarea, .tv-lightweight-charts'))
        continue;
      const { overflowX, textOverflow } = styleOf(element);
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      const isHidden = overflowX === 'hidden' || overflowX === 'clip';
      if (isCut && isHidden && textOverflow !== 'ellipsis') complaints.push(`cut: ${nameOf(element)}`);
      if (element.getBoundingClientRect().right <= width + 1) continue;
      let around = element.parentElement;
      while (around && !scrolls(styleOf(around).overflowX) && styleOf(around).overflowX === 'visible')
        around = around.parentElement;
      if (!around) complaints.push(`sticks out of the page: ${nameOf(element)}`);
    }
  }

  /** From the width of a laptop on, no table has to be scrolled. */
  function findCutTables() {
    for (const table of document.querySelectorAll('table')) {
      const around = table.parentElement;
      if (!isShown(table) || innerWidth < 1280 || around.scrollWidth <= around.clientWidth + 1) continue;
      complaints.push(`wider than its place: ${nameOf(table)}`);
    }
  }

  function findBrokenWords() {
    for (const element of document.querySelectorAll(
      'code, h1, h2, h3, th, td, nav a, dt, summary, button, .badge',
    )) {
      if (!isShown(element) || element.closest('pre')) continue;
      const { lineHeight, fontSize } = styleOf(element);
      const line = Number.parseFloat(lineHeight) || Number.parseFloat(fontSize) * 1.2;
      if (element.getBoundingClientRect().height < line * 1.5) continue;
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        for (const { 0: word, index } of text.data.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
          if (word.length > WORD_MAX) continue;
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            complaints.push(`broken inside “${word}”: ${nameOf(element)}`);
        }
      }
    }
  }

  const parsed = new Map();
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  /** Any colour of CSS as red, green, blue and alpha. */
  function colourOf(text) {
    if (!parsed.has(text)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = text;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
      parsed.set(text, [red, green, blue, alpha / 255]);
    }
    return parsed.get(text);
  }
  const over = ([r, g, b, alpha], ground) =>
    [r, g, b].map((value, at) => value * alpha + ground[at] * (1 - alpha));
  function luminance(colour) {
    const [red, green, blue] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
  function groundOf(element) {
    const colour = element === null ? [255, 255, 255, 1] : colourOf(styleOf(element).backgroundColor);
    if (colour[3] === 1) return colour.slice(0, 3);
    return over(colour, element === null ? [255, 255, 255] : groundOf(element.parentElement));
  }

  /** WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for large text. */
  function findFaintText() {
    const seen = new Set();
    for (const element of document.body.querySelectorAll('*')) {
      const isText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
      );
      if (!isText || element.closest('svg, noscript, .skip, :disabled') || !isShown(element)) continue;
      const { color, fontSize, fontWeight } = styleOf(element);
      const ground = groundOf(element);
      const size = Number.parseFloat(fontSize);
      const needed = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700) ? 3 : 4.5;
      const key = `${color} ${ground} ${needed}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const [light, dark] = [luminance(over(colourOf(color), ground)), luminance(ground)].sort(
        (a, b) => b - a,
      );
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < needed)
        complaints.push(`contrast ${contrast.toFixed(2)} of ${color} on ${ground}: ${nameOf(element)}`);
    }
  }

  function findUnderlinedUnderscores() {
    for (const link of document.querySelectorAll('main a')) {
      if (!link.textContent.includes('_') || !isShown(link)) continue;
      const { textDecorationLine, textUnderlineOffset, fontSize } = styleOf(link);
      const offset = Number.parseFloat(textUnderlineOffset) || 0;
      if (textDecorationLine === 'underline' && offset < Number.parseFloat(fontSize) * 0.28)
        complaints.push(`underlined through underscores: ${nameOf(link)}`);
    }
  }

  function findLostNavigation() {
    const current = document.querySelector('.side [aria-current=page]');
    if (current === null || !isShown(current)) return;
    const { top, bottom } = current.getBoundingClientRect();
    const frame = current.closest('.side').getBoundingClientRect();
    if (top < frame.top - 1 || bottom > frame.bottom + 1)
      complaints.push(`out of sight in the navigation: ${nameOf(current)}`);
  }

  function findSilentSamples() {
    for (const sample of document.querySelectorAll('main pre')) {
      if (!isShown(sample) || sample.scrollHeight <= sample.clientHeight + 1) continue;
      const button = sample.parentElement.querySelector('.unfold button');
      if (button === null || !isShown(button))
        complaints.push(`goes on without saying so: ${nameOf(sample)}`);
    }
  }

  /** A reader without a mouse sees where he is: whatever can be used gets the focus, shows it, and is not covered then. */
  function findLostFocus() {
    for (const element of document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    )) {
      if (!isShown(element) || element.matches(':disabled, [tabindex="-1"]')) continue;
      element.focus();
      if (document.activeElement !== element) {
        complaints.push(`gets no focus: ${nameOf(element)}`);
        continue;
      }
      if (styleOf(element).outlineStyle === 'none') complaints.push(`shows no focus: ${nameOf(element)}`);
      const [{ left, top, width, bottom }] = element.getClientRects();
      const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
      if (!element.contains(document.elementFromPoint(left + width / 2, middle)))
        complaints.push(`is covered when it has the focus: ${nameOf(element)}`);
    }
    document.activeElement.blur();
  }

  const found = (...looks) => {
    complaints.length = 0;
    for (const look of looks) look();
    return complaints;
  };
  return {
    layout: () =>
      found(
        findOverflow,
        findCutTables,
        findBrokenWords,
        findUnderlinedUnderscores,
        findLostNavigation,
        findSilentSamples,
      ),
    colours: () => found(findFaintText),
    focus: () => found(findLostFocus),
  };
})();
