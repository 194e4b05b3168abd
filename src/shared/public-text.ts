/** Invisible by definition (joiners, selectors, fillers, tags), or turns around what stands beside it. */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/u;
/** Of Unicode's list: what is hidden elsewhere makes one picture in it. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** The flags of some regions are made of them, and any other text can be written in them unseen. */
const TAG = /[\u{e0000}-\u{e007f}]/u;
const NOT_IN_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Line breaks and tabs are text there. */
const NOT_IN_PARAGRAPHS = /(?![\n\r\t])\p{Cc}/u;

/**
 * What a name, symbol, user name or description must not have for others to see what its author wrote, as the end of
 * "must not contain"; null when it has nothing of that (contract/tokens#public-texts).
 */
export function publicTextFault(text: string, { isLine }: { isLine: boolean }): string | null {
  if (!text.isWellFormed()) return 'broken text';
  if ((isLine ? NOT_IN_LINE : NOT_IN_PARAGRAPHS).test(text)) return 'control characters';
  return hasHidden(text) ? 'characters that are invisible or turn text around' : null;
}

/** Whether there is something in a text that its readers do not see. */
export function hasHidden(text: string): boolean {
  if (!HIDDEN.test(text)) return false;
  return HIDDEN.test(text.replace(EMOJI, (emoji) => (TAG.test(emoji) ? emoji : '')));
}
