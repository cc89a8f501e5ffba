import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/** A name that a file imports from another file or from a package, as a type or as a value. */
export interface ImportedName {
  readonly from: string;
  /** A path in the repository, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
  /** As the other file exports it; null where none is named. */
  readonly name: string | null;
  /** As this file calls it. */
  readonly as: string | null;
}

const ROOMS = ['domain', 'application', 'adapters', 'config'] as const;

/** Every source file of the product, parsed. */
export const productSources = (): ReadonlyMap<string, ts.SourceFile> =>
  new Map(ROOMS.flatMap((room) => typeScriptFiles(room)).map((file) => [file, parsed(file)]));

export const typeScriptFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
    .sort();

export const parsed = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);

/** Imports, exports from elsewhere and dynamic imports, those of types included. */
export const importedNames = (source: ts.SourceFile): readonly ImportedName[] => {
  const found: ImportedName[] = [];
  const note = (
    specifier: ts.Node | undefined,
    names: readonly (readonly [string, string])[],
  ): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const isPackage = !specifier.text.startsWith('.');
    const from = source.fileName;
    const to = isPackage
      ? packageOf(specifier.text)
      : normalize(join(dirname(from), specifier.text));
    if (names.length === 0) found.push({ from, to, isPackage, name: null, as: null });
    for (const [name, as] of names) found.push({ from, to, isPackage, name, as });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) note(node.moduleSpecifier, namesOf(node.importClause));
    else if (ts.isExportDeclaration(node)) note(node.moduleSpecifier, []);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      note(node.argument.literal, []);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      note(node.arguments[0], []);
    node.forEachChild(visit);
  };
  visit(source);
  return found;
};

const namesOf = (clause: ts.ImportClause | undefined): readonly (readonly [string, string])[] => {
  const bindings = clause?.namedBindings;
  if (!bindings || !ts.isNamedImports(bindings)) return [];
  return bindings.elements.map(({ propertyName, name }) => [
    (propertyName ?? name).text,
    name.text,
  ]);
};

const packageOf = (specifier: string): string => {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
};

export const classesOf = (source: ts.SourceFile): readonly ts.ClassDeclaration[] =>
  source.statements.filter(ts.isClassDeclaration);

export const interfacesOf = (source: ts.SourceFile): readonly ts.InterfaceDeclaration[] =>
  source.statements.filter(ts.isInterfaceDeclaration);

/** Its public methods, or of an interface its methods and its functions. */
export const methodsOf = (node: ts.ClassDeclaration | ts.InterfaceDeclaration): readonly string[] =>
  [...node.members].flatMap((member) => {
    const isMethod =
      ts.isMethodDeclaration(member) ||
      ts.isMethodSignature(member) ||
      (ts.isPropertySignature(member) &&
        member.type !== undefined &&
        ts.isFunctionTypeNode(member.type));
    return isMethod && !isHidden(member) ? [member.name.getText()] : [];
  });

const isHidden = (member: ts.Node): boolean =>
  ts.canHaveModifiers(member) &&
  (ts.getModifiers(member) ?? []).some(
    ({ kind }) =>
      kind === ts.SyntaxKind.PrivateKeyword ||
      kind === ts.SyntaxKind.ProtectedKeyword ||
      kind === ts.SyntaxKind.StaticKeyword,
  );
