import type { parse } from '@bufbuild/cel';

/** A node of a parsed expression. */
export type Expr = ReturnType<typeof parse>['expr'];

export type Call = Extract<Expr['exprKind'], { case: 'callExpr' }>['value'];

export type Comprehension = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value'];

export interface Child {
  readonly node: Expr;
  /** Evaluated in every round. */
  readonly repeated: boolean;
}

export const childrenOf = ({ exprKind }: Expr): Child[] => {
  const once = (...nodes: readonly (Expr | undefined)[]): Child[] =>
    nodes.flatMap((node) => (node === undefined ? [] : [{ node, repeated: false }]));
  switch (exprKind.case) {
    case 'selectExpr':
      return once(exprKind.value.operand);
    case 'callExpr':
      return once(exprKind.value.target, ...exprKind.value.args);
    case 'listExpr':
      return once(...exprKind.value.elements);
    case 'structExpr':
      return exprKind.value.entries.flatMap((entry) =>
        once(entry.keyKind.case === 'mapKey' ? entry.keyKind.value : undefined, entry.value),
      );
    case 'comprehensionExpr': {
      const { iterRange, accuInit, result, loopCondition, loopStep } = exprKind.value;
      return [
        ...once(iterRange, accuInit, result),
        ...once(loopCondition, loopStep).map(({ node }) => ({ node, repeated: true })),
      ];
    }
    default:
      return [];
  }
};

/** `a.b.c`, where the expression is nothing but names. */
export const qualifiedName = (expr: Expr | undefined): string | undefined => {
  if (expr?.exprKind.case === 'identExpr') return expr.exprKind.value.name;
  if (expr?.exprKind.case !== 'selectExpr' || expr.exprKind.value.testOnly) return undefined;
  const parent = qualifiedName(expr.exprKind.value.operand);
  return parent === undefined ? undefined : `${parent}.${expr.exprKind.value.field}`;
};

/** Writing an AST by hand: nodes at the place of another one. */
export const callAt = (id: bigint, name: string, args: Expr[]): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args } },
});

export const listAt = (id: bigint, elements: Expr[]): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: {
    case: 'listExpr',
    value: { $typeName: 'cel.expr.Expr.CreateList', elements, optionalIndices: [] },
  },
});

export const constantAt = (id: bigint, value: bigint | boolean | string): Expr => ({
  $typeName: 'cel.expr.Expr',
  id,
  exprKind: {
    case: 'constExpr',
    value: {
      $typeName: 'cel.expr.Constant',
      constantKind:
        typeof value === 'bigint'
          ? { case: 'int64Value', value }
          : typeof value === 'boolean'
            ? { case: 'boolValue', value }
            : { case: 'stringValue', value },
    },
  },
});
