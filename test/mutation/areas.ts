/** The part of the product that a file belongs to: a feature, or a folder of `src`, or the relay. */
export function areaOf(file: string): string {
  const [top = '', folder = '', feature = ''] = file.split('/');
  if (top !== 'src') return top;
  if (folder === 'features') return feature;
  return folder.replace(/\.ts$/, '');
}
