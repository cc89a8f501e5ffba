import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * A committed JSON file that holds what callers saw when it was written. With the variable set to 1 it is written
 * anew from what they see now; the diff of the commit then shows the change.
 */
export const keptJson = <T>(file: string, variable: string, seen: T): T => {
  if (process.env[variable] === '1') writeFileSync(file, `${printed(seen)}\n`);
  if (!existsSync(file)) throw new Error(`${file} is missing: run once with ${variable}=1`);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
};

/** Every place where two values differ, as a JSON Pointer with the value before and after. */
export const differences = (before: unknown, after: unknown, at = ''): readonly string[] => {
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      differences(member(before, name), member(after, name), `${at}/${token(name)}`),
    );
  }
  if (Object.is(before, after)) return [];
  if (before === undefined) return [`${at} is new: ${short(after)}`];
  if (after === undefined) return [`${at} is gone: ${short(before)}`];
  return [`${at} was ${short(before)} and is ${short(after)}`];
};

/** One line for whatever fits into one, so that a large document stays readable. */
const printed = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value);
  if (!isTree(value) || line.length + indent.length <= WIDTH) return line;
  const deeper = `${indent} `;
  const lines = Array.isArray(value)
    ? value.map((item) => printed(item, deeper))
    : Object.entries(value).map(
        ([name, item]) => `${JSON.stringify(name)}: ${printed(item, deeper)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((text) => deeper + text).join(',\n')}\n${indent}${close}`;
};
const WIDTH = 120;

type Tree = { readonly [name: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
const member = (tree: Tree, name: string): unknown =>
  Object.hasOwn(tree, name) ? tree[name] : undefined;
const token = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};
