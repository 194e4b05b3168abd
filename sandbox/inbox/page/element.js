/** An element with a class and a text. Texts of others are untrusted: they are set as textContent, never as markup. */
export function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

/** An element that holds others. */
export function row(tag, className, ...children) {
  const made = element(tag, className);
  made.append(...children);
  return made;
}

/** A name that may break after its dots and underscores, and nowhere within a word. */
export function name(className, text) {
  const made = element('span', className);
  for (const part of text.split(/(?<=[._])/)) made.append(part, document.createElement('wbr'));
  return made;
}

/** A button that calls `press`. */
export function button(className, text, press) {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

/** An SVG element with attributes. */
export function svg(tag, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Time of day to the second. */
export function clock(timestamp) {
  return new Date(timestamp).toLocaleTimeString([], { hour12: false });
}

/** Calls `draw` once before the next frame for any number of requests. */
export function perFrame(draw) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };
}
