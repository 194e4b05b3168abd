import { element } from './element.js';

/** An address of the deployment's own images (contract/images#address). */
const STORED = /\/images\/([0-9a-f]{64})$/;

/**
 * The picture of a token, else its first letter. Only images that the deployment stores are loaded: the server of another
 * address would learn who reads this page.
 */
export function picture({ imageUrl, symbol }) {
  const made = element('span', 'picture', [...symbol][0]);
  made.setAttribute('aria-hidden', 'true');
  const [, hash] = STORED.exec(imageUrl ?? '') ?? [];
  if (hash === undefined) return made;
  const image = element('img');
  image.alt = '';
  image.addEventListener('load', () => made.replaceChildren(image));
  image.src = `/images/${hash}`;
  return made;
}
