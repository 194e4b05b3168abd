import type { MetadataDocument } from './schema.ts';
import type { LaunchTexts } from './texts.ts';

export function metadataDocument({
  name,
  symbol,
  description,
  imageUrl,
  links: { telegram, twitter, website },
}: LaunchTexts): MetadataDocument {
  return {
    name,
    symbol,
    description: description ?? '',
    ...(imageUrl !== null && { image: imageUrl }),
    ...(website !== null && { external_url: website }),
    extensions: {
      ...(telegram !== null && { telegram }),
      ...(twitter !== null && { twitter }),
      ...(website !== null && { website }),
    },
  };
}

/** Path after the origin. Short, because the uri of a mint has 200 bytes. It is on chain for good. */
export const METADATA_PATH = '/token-metadata';

export function metadataUrl(publicUrl: string, mintAddress: string): string {
  return `${publicUrl}${METADATA_PATH}/${mintAddress}`;
}
