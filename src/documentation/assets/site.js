// Behaviour of every page: the theme switch, the navigation at the current page, copying and unfolding of
// code, and tabs of samples.
import './scrolling-focus.js';

const root = document.documentElement;
const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

const remember = (name, value) => {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is disabled: the choice lasts until the next page.
  }
};
const recall = (name) => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

for (const button of document.querySelectorAll('[data-theme-switch]')) {
  const current = () => root.dataset.theme ?? (systemIsDark.matches ? 'dark' : 'light');
  const show = () => {
    button.dataset.current = current();
    button.title = current() === 'dark' ? 'Switch to light' : 'Switch to dark';
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = current() === 'dark' ? 'light' : 'dark';
    remember('launchwire-theme', root.dataset.theme);
    show();
  });
  systemIsDark.addEventListener('change', show);
  show();
}

/** On a phone the navigation has no height before it is opened. */
function showCurrentPage() {
  const side = document.querySelector('.side');
  const current = side?.querySelector('[aria-current=page]');
  if (!current) return;
  const below = current.getBoundingClientRect().top - side.getBoundingClientRect().top;
  side.scrollTop += below - side.clientHeight / 2;
}
showCurrentPage();
window.addEventListener('hashchange', showCurrentPage);

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      // Pages over plain http have no clipboard: the code is selected instead.
      window.getSelection().selectAllChildren(figure.querySelector('code'));
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  figure.querySelector('figcaption').append(button);
}

for (const figure of document.querySelectorAll('figure.code[data-lines]')) {
  const cover = document.createElement('div');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = `Show all ${figure.dataset.lines} lines`;
  button.addEventListener('click', () => {
    figure.classList.replace('folded', 'unfolded');
    cover.remove();
    figure.querySelector('pre').focus({ preventScroll: true });
  });
  cover.className = 'unfold';
  cover.append(button);
  figure.append(cover);
  figure.classList.add('folded');
}

/** All tabs of a page show the same language, the one chosen last, where they have it. */
const tabLists = [...document.querySelectorAll('[data-tabs]')];
const chooseTab = (label) => {
  for (const tabs of tabLists) {
    if (!tabs.querySelector(`[data-tab="${label}"]`)) continue;
    for (const section of tabs.querySelectorAll('[data-tab]')) section.hidden = section.dataset.tab !== label;
    for (const button of tabs.querySelectorAll('[role=tab]')) {
      button.setAttribute('aria-selected', String(button.textContent === label));
      button.tabIndex = button.textContent === label ? 0 : -1;
    }
  }
};
for (const [place, tabs] of tabLists.entries()) {
  const labels = [...tabs.querySelectorAll('[data-tab]')].map((section) => section.dataset.tab);
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  for (const label of labels) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute('role', 'tab');
    button.textContent = label;
    button.id = `tab-${place}-${label}`;
    const section = tabs.querySelector(`[data-tab="${label}"]`);
    section.id = `panel-${place}-${label}`;
    section.setAttribute('role', 'tabpanel');
    section.setAttribute('aria-labelledby', button.id);
    button.setAttribute('aria-controls', section.id);
    button.addEventListener('click', () => {
      chooseTab(label);
      remember('launchwire-language', label);
    });
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const next = labels[(labels.indexOf(label) + step + labels.length) % labels.length];
      chooseTab(next);
      [...list.children].find((other) => other.textContent === next).focus();
    });
    list.append(button);
  }
  tabs.prepend(list);
  tabs.classList.add('ready');
  const chosen = recall('launchwire-language');
  chooseTab(labels.includes(chosen) ? chosen : labels[0]);
}
