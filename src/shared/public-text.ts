/**
 * Invisible by definition (joiners, selectors, fillers, tags), or changes the direction of the text around
 * it.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb]/u;
/** Unicode's list of emoji: characters that are hidden elsewhere join pictures here. */
const EMOJI = /\p{RGI_Emoji}/gv;
/** Flags of some regions consist of tags, which can also hide any other text. */
const TAG = /[\u{e0000}-\u{e007f}]/u;
const NOT_IN_LINE = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** Control characters, except line breaks and tabs, which paragraphs may have. */
const NOT_IN_PARAGRAPHS = /(?![\n\r\t])\p{Cc}/u;

/**
 * Names the fault of a public text (name, symbol, user name or description) whose readers would not see what
 * its author wrote, as the end of "must not contain"; null when it has none (contract/tokens#public-texts).
 */
export function publicTextFault(text: string, { isLine }: { isLine: boolean }): string | null {
  if (!text.isWellFormed()) return 'broken text';
  if ((isLine ? NOT_IN_LINE : NOT_IN_PARAGRAPHS).test(text)) return 'control characters';
  return hasHidden(text) ? 'characters that are invisible or reverse the direction of text' : null;
}

/** True when a text holds characters that its readers do not see. */
export function hasHidden(text: string): boolean {
  if (!HIDDEN.test(text)) return false;
  return HIDDEN.test(text.replace(EMOJI, (emoji) => (TAG.test(emoji) ? emoji : '')));
}
