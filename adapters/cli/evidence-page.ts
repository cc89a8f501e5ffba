/** Where the page of the build takes an export. */
const PLACE = '<!--export-->';

/**
 * One HTML file with an export and the verifier inside.
 *
 * @param page as the build makes it
 * @param exported the JSON of an audit export, as the service wrote it
 */
export const evidencePage = (page: string, exported: string): string => {
  const [before, after, ...more] = page.split(PLACE);
  if (after === undefined || more.length > 0) throw new Error('the page of the build is damaged');
  // In JSON this character stands in strings alone; written out, it cannot end the element that holds the text.
  const text = exported.replaceAll('<', '\\u003c');
  return `${before}<script type="application/json" id="export">${text}</script>${after}`;
};
