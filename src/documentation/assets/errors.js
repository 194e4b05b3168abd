// The list of errors: an address with a code's anchor leads to the page of that code, a field filters the list, and a
// button opens all groups.

/**
 * Addresses with the anchor of a code are older than the pages of codes, and are the `type` of every problem. That of an
 * area opens it.
 */
function followAnchor() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.hasAttribute('data-entry')) location.replace(target.querySelector('a').href);
  const group = target?.closest('summary')?.parentElement;
  if (group) group.open = true;
}
followAnchor();
window.addEventListener('hashchange', followAnchor);

const form = document.querySelector('[data-filter]');
const input = form.querySelector('input');
const status = form.querySelector('[role=status]');
const areas = [...document.querySelectorAll('[data-area]')].map((area) => ({
  area,
  group: area.querySelector('details'),
  entries: [...area.querySelectorAll('[data-entry]')].map((entry) => ({
    entry,
    text: entry.textContent.toLowerCase(),
  })),
}));
const toggle = form.querySelector('button');
const results = document.querySelectorAll('[data-entry=result]').length;
let isFiltered = false;

const allAreOpen = () => areas.every(({ area, group }) => area.hidden || group.open);
function showToggle() {
  toggle.textContent = allAreOpen() ? 'Close all' : 'Open all';
}
toggle.addEventListener('click', () => {
  const open = !allAreOpen();
  for (const { group } of areas) group.open = open;
});
for (const { group } of areas) group.addEventListener('toggle', showToggle);

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { area, group, entries } of areas) {
    let shownHere = 0;
    for (const { entry, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) shownHere += 1;
    }
    area.hidden = shownHere === 0;
    // What was found is shown; afterwards the groups are closed again.
    if (words.length > 0 || isFiltered) group.open = words.length > 0;
    shown += shownHere;
  }
  isFiltered = words.length > 0;
  showToggle();
  const total = areas.reduce((sum, { entries }) => sum + entries.length, 0);
  if (words.length === 0)
    status.textContent = `${total - results} problem codes and ${results} results of deliveries and intents`;
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
