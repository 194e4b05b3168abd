const SETTLE_MS = 250;
const AGAIN_MS = 3_000;
const find = document.querySelector('#find');
const buttons = [...document.querySelectorAll('#columns button')];
const nothing = document.querySelector('#no-tokens');
const list = document.querySelector('#token-list');

/**
 * Lets the reader search and sort the tokens. A list that is not of the newest tokens is read again every few seconds, while
 * somebody sees the page. `listed` is called when the tokens may be others than before.
 */
export function chooseTokens(tokens, listed) {
  let sort = 'launchedAt';
  let timer;
  let reads = 0;

  /** A search has an order of its own. */
  function wanted() {
    const text = find.value.trim();
    if (text !== '') return { parameters: `&query=${encodeURIComponent(text)}`, sort: 'marketCap' };
    return sort === 'launchedAt' ? {} : { parameters: `&sort=${sort}`, sort };
  }

  async function readList() {
    clearTimeout(timer);
    reads += 1;
    const own = reads;
    const view = wanted();
    const known = tokens.mints.join();
    if (!document.hidden && (await tokens.load(view, () => own === reads))) {
      nothing.hidden = list.children.length > 0;
      if (tokens.mints.join() !== known) listed();
    }
    if (own === reads && view.parameters !== undefined) timer = setTimeout(readList, AGAIN_MS);
  }

  function press(chosen) {
    sort = chosen;
    for (const button of buttons)
      button.setAttribute('aria-pressed', String(find.value.trim() === '' && button.dataset.sort === sort));
  }

  find.addEventListener('input', () => {
    press(sort);
    clearTimeout(timer);
    timer = setTimeout(readList, SETTLE_MS);
  });
  for (const button of buttons)
    button.addEventListener('click', () => {
      find.value = '';
      press(button.dataset.sort);
      void readList();
    });
}
