import { describe, expect, it } from 'vitest';
import {
  classesOf,
  importedNames,
  methodsOf,
  productSources,
} from '../support/runner/product-sources.ts';

/**
 * A use case is a class of the application with a public `execute`. It calls no other use case, so it does not know
 * one either, not even as the type of a constructor parameter. What use cases share has no `execute`.
 */
const sources = productSources();

/** Files that hold two use cases today. */
const PAIRS = ['application/identity/read-issuers.ts', 'application/identity/revoke-certs.ts'];

interface UseCase {
  readonly file: string;
  readonly name: string;
}

const useCases: readonly UseCase[] = [...sources].flatMap(([file, source]) =>
  /^application\/[^/]+\//.test(file)
    ? classesOf(source)
        .filter((node) => methodsOf(node).includes('execute'))
        .map((node) => ({ file, name: node.name!.text }))
    : [],
);

const known = ({ file, name }: UseCase): readonly string[] =>
  importedNames(sources.get(file)!).flatMap((one) =>
    useCases.some((other) => other.file === one.to && other.name === one.name)
      ? [`${name} → ${one.name}`]
      : [],
  );

describe('use cases', () => {
  it('are found', () => {
    expect(useCases.length).toBeGreaterThan(50);
    expect(useCases.map(({ name }) => name)).toContain('CreateRecord');
  });

  it('know no other use case, as a type or as a value', () => {
    expect(useCases.flatMap(known).sort()).toEqual([]);
  });

  it('are one a file', () => {
    const files = useCases.map(({ file }) => file);
    expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual(PAIRS);
  });
});
