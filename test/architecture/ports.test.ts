import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  classesOf,
  importedNames,
  interfacesOf,
  methodsOf,
  parsed,
  productSources,
  typeScriptFiles,
} from '../support/runner/product-sources.ts';

/**
 * A port is a file that ends in .port.ts. Its suite names it in a comment, `Contract of domain/…/x.port.ts`, and calls
 * what it promises. Both are found, so a new port fails here until it has its suite.
 */
const sources = productSources();
const ports = [...sources.keys()].filter((file) => file.endsWith('.port.ts'));
const tests = typeScriptFiles('test').map((file) => ({ file, text: parsed(file).text }));
const suitesOf = (port: string): typeof tests =>
  tests.filter(({ text }) => text.includes(`Contract of ${port}`));

/** Interfaces that an adapter fulfils though they stand in another file. The list may only become shorter. */
const ELSEWHERE = [
  'application/operations/check-health.ts: HealthProbe',
  'domain/kernel/ids.ts: IdSource',
] as const;

/** Interfaces that only the core implements: rows that hold functions, and what a lower folder needs of a higher one. */
const ROWS = [
  'application/call/bearer.ts: BearerAuthentication',
  'application/call/bearer.ts: RefusalListener',
  'application/call/operation.ts: Operation',
  'application/call/read-log.ts: ReadAppender',
  'application/record/deadline-rule.ts: DeadlineRule',
  'domain/verification/dump/registry/registered-types.ts: LogEnds',
  'domain/verification/federation/peer-message-reader.ts: MessageParts',
] as const;

const interfaceAt = (file: string, name: string): ts.InterfaceDeclaration | undefined => {
  const source = sources.get(file);
  return source && interfacesOf(source).find((node) => node.name.text === name);
};

/** The interfaces with methods that are named within a node, and where they stand. */
const needsOf = (file: string, node: ts.Node): readonly string[] => {
  const imports = importedNames(sources.get(file)!);
  const found: string[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isTypeReferenceNode(part) || ts.isExpressionWithTypeArguments(part)) {
      const as = (ts.isTypeReferenceNode(part) ? part.typeName : part.expression).getText();
      const { to, name } = imports.find((one) => one.as === as) ?? { to: file, name: as };
      const declared = interfaceAt(to, String(name));
      if (declared && methodsOf(declared).length > 0) found.push(`${to}: ${String(name)}`);
    }
    part.forEachChild(visit);
  };
  visit(node);
  return found;
};

/** What the core is constructed with, and what an adapter says it fulfils. */
const fulfilled = [...sources].flatMap(([file, source]) =>
  classesOf(source).flatMap((node) => {
    if (/^(domain|application)\//.test(file)) {
      const parts = node.members.filter(ts.isConstructorDeclaration);
      return parts.flatMap(({ parameters }) => parameters.flatMap((one) => needsOf(file, one)));
    }
    return (node.heritageClauses ?? []).flatMap((clause) => needsOf(file, clause));
  }),
);
const ofTheCore = [...new Set(fulfilled)].filter((one) => /^(domain|application)\//.test(one));

describe('ports', () => {
  it('are found', () => {
    expect(ports.length).toBeGreaterThan(20);
    expect(ofTheCore).toContain('domain/record/record-store.port.ts: RecordStore');
  });

  it('are the files of all that an adapter fulfils for the core', () => {
    expect(ofTheCore.filter((one) => !one.includes('.port.ts: ')).sort()).toEqual(
      [...ROWS, ...ELSEWHERE].sort(),
    );
  });

  it.each(ports)('%s has a suite that names it and calls what it promises', (port) => {
    const suites = suitesOf(port);
    const promised = interfacesOf(sources.get(port)!).flatMap(methodsOf);
    const called = promised.filter((name) => suites.some(({ text }) => text.includes(`.${name}(`)));
    expect(suites.map(({ file }) => file)).not.toEqual([]);
    expect(called).not.toEqual([]);
  });

  it('no suite names a port that is not there', () => {
    const named = tests.flatMap(({ text }) => [...text.matchAll(/Contract of (\S+\.port\.ts)/g)]);
    expect(
      named.map(([, port]) => port!).filter((port) => !port.includes('…') && !ports.includes(port)),
    ).toEqual([]);
  });
});
