// The list of errors: an address with a code's anchor leads to the page of that code, and a field filters the
// list.

/**
 * Addresses with the anchor of a code are older than the pages of codes, and are the `type` of every problem.
 */
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
    status.textContent =
      shown === 0 ? `No code matches “${input.value.trim()}”.` : `${shown} of ${total} codes`;
}

input.addEventListener('input', () => {
  filter();
  const address = new URL(location.href);
  if (input.value.trim() === '') address.searchParams.delete('filter');
  else address.searchParams.set('filter', input.value.trim());
  address.hash = '';
  // A filtered list can be linked to, and survives the way back from another page.
  history.replaceState(null, '', address);
});
form.addEventListener('submit', (event) => event.preventDefault());
input.value = new URLSearchParams(location.search).get('filter') ?? '';
form.hidden = false;
filter();
