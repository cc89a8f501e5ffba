/** Reads files of the build. */
export interface PageFrame {
  /** Null where there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
}

/** What stands in the frame that the build makes for pages of the running service. */
const [TITLE, MAIN] = ['<!--title-->', '<!--main-->'];

/**
 * A page in the frame of the guides.
 *
 * @param title text.
 * @param main HTML.
 * @throws Error where the build is missing.
 */
export const framed = async (frame: PageFrame, title: string, main: string): Promise<string> => {
  const bytes = await frame.read('frame.html');
  if (!bytes) throw new Error('frame.html is missing: run npm run build');
  const [head, rest] = new TextDecoder().decode(bytes).split(TITLE);
  const [body, end] = rest!.split(MAIN);
  return `${head}${title.replaceAll('<', '&lt;')}${body}${main}${end}`;
};
