import { posix } from 'node:path';

/** A relative path with `..` in it, up to a space, a quote or what a program puts in. */
const CLIMB = String.raw`(?:[\w.-]+\/)*\.\.(?![\w.-])(?:\/[\w./*-]*)?`;
/** A string that is such a path. Import specifiers, URLs and path segments are resolved against the file's folder. */
const STRING = new RegExp(`['"\`](${CLIMB})`, 'g');
/** A path that a call reads as it is, so it is resolved against the working directory, which is the root. */
const CALL = new RegExp(
  String.raw`\b(?:resolve|(?:read|copy|exec|access|exists|stat|open|cp|spawn|create)\w*)\(\s*['"\`](${CLIMB})`,
  'g',
);
/** A word of a shell script, after the folder of the script or after nothing. */
const WORD = new RegExp(
  String.raw`(?:(\$\{?here\}?\/|\$\(dirname "\$0"\)\/)|(?<![\w./$})-]))(${CLIMB})`,
  'g',
);

/** The paths that a file reads outside of the repository. @param file its path from the root. */
export const leavingPaths = (file: string, text: string): readonly string[] => {
  const folder = posix.dirname(file);
  const found: { readonly base: string; readonly path: string }[] = isShell(file, text)
    ? [...text.matchAll(WORD)].map(([, script, path]) => ({
        base: script ? folder : '.',
        path: path!,
      }))
    : [
        ...[...text.matchAll(STRING)].map(([, path]) => ({ base: folder, path: path! })),
        ...[...text.matchAll(CALL)].map(([, path]) => ({ base: '.', path: path! })),
      ];
  const leaving = found.filter(({ base, path }) => leaves(posix.join(base, path)));
  return [...new Set(leaving.map(({ path }) => path))];
};

const leaves = (path: string): boolean => path === '..' || path.startsWith('../');

const isShell = (file: string, text: string): boolean =>
  file.endsWith('.sh') || /^#!.*\b(?:bash|sh)\n/.test(text);
