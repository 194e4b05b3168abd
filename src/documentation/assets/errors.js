// The list of errors: the type of a problem leads on to the page of its code, and the list is filtered as one types.

/** An address with the anchor of a code is older than the pages of codes, and is the `type` of every problem. */
function followAnchor() {
  const entry = document.getElementById(location.hash.slice(1));
  if (entry?.hasAttribute('data-entry')) location.replace(entry.querySelector('a').href);
}
followAnchor();
window.addEventListener('hashchange', followAnchor);

const form = document.querySelector('[data-filter]');
const input = form.querySelector('input');
const status = form.querySelector('[role=status]');
const areas = [...document.querySelectorAll('[data-area]')].map((area) => ({
  area,
  entries: [...area.querySelectorAll('[data-entry]')].map((entry) => ({
    entry,
    text: entry.textContent.toLowerCase(),
  })),
}));

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { area, entries } of areas) {
    let shownHere = 0;
    for (const { entry, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) shownHere += 1;
    }
    area.hidden = shownHere === 0;
    shown += shownHere;
  }
  const total = areas.reduce((sum, { entries }) => sum + entries.length, 0);
  if (words.length === 0) status.textContent = `${total} codes`;
  else
    status.textContent = shown === 0 ? `No code fits “${input.value.trim()}”.` : `${shown} of ${total} codes`;
}

input.addEventListener('input', () => {
  filter();
  const address = new URL(location.href);
  if (input.value.trim() === '') address.searchParams.delete('filter');
  else address.searchParams.set('filter', input.value.trim());
  address.hash = '';
  // So that a filtered list can be sent to somebody, and is there again on the way back.
  history.replaceState(null, '', address);
});
form.addEventListener('submit', (event) => event.preventDefault());
input.value = new URLSearchParams(location.search).get('filter') ?? '';
form.hidden = false;
filter();
