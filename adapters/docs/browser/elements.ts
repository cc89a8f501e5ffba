type Child = Node | string | null;

/** An element with its attributes and children. Text is never read as markup. */
export const el = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElement => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat().filter((child): child is Node | string => child !== null));
  return element;
};

/** @throws Error where the page does not have it. */
export const byId = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`the page has no ${type.name} #${id}`);
  return found;
};
