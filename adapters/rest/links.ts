import type { NextStep } from '../../application/call/guide.ts';
import type { Method } from '../http/route-doc.ts';
import type { RestBinding } from './binding.ts';

/** A step of guidance as REST shows it: the request that performs it. */
export interface ShownStep extends Omit<NextStep, 'operation' | 'input'> {
  readonly method: Method;
  /** A path, relative to the base URL. */
  readonly href: string;
}

/** The URLs of operations, for answers that refer to them. */
export class Links {
  private readonly byOperation: ReadonlyMap<string, readonly RestBinding[]>;

  constructor(bindings: readonly RestBinding[]) {
    const byOperation = new Map<string, RestBinding[]>();
    for (const binding of bindings) {
      const { id } = binding.operation;
      byOperation.set(id, [...(byOperation.get(id) ?? []), binding]);
    }
    for (const alternatives of byOperation.values())
      alternatives.sort((a, b) => fixedCount(b) - fixedCount(a));
    this.byOperation = byOperation;
  }

  /** Undefined where REST has no path for the operation. */
  show({ operation, input, description, ...step }: NextStep): ShownStep | undefined {
    const binding = this.byOperation.get(operation)?.find((one) => fits(one, input));
    if (!binding) return undefined;
    const { method, path } = binding.options;
    const { action, ...rest } = step;
    return {
      action,
      method,
      href: `${fillPath(path, paramsOf(binding, input))}${queryOf(binding, input)}`,
      description: `${description}${bodyHint(binding, input)}`,
      ...rest,
    };
  }
}

/** `/v1/records/{id}` with the parameters in place. */
export const fillPath = (
  path: string,
  params: { readonly [name: string]: string | undefined },
): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    params[name] === undefined ? whole : encodeURIComponent(params[name]),
  );

type StepInput = NextStep['input'];

const fixedCount = ({ fixed = {} }: RestBinding): number => Object.keys(fixed).length;

const fits = ({ fixed = {} }: RestBinding, input: StepInput): boolean =>
  Object.entries(fixed).every(([member, value]) => input[member] === value);

const paramsOf = (
  { parameters }: RestBinding,
  input: StepInput,
): { [name: string]: string | undefined } =>
  Object.fromEntries(parameters.map(([name, member]) => [name, input[member]]));

const queryOf = ({ queryNames }: RestBinding, input: StepInput): string => {
  const query = queryNames.flatMap(([name, member]) =>
    input[member] === undefined ? [] : [`${name}=${encodeURIComponent(input[member])}`],
  );
  return query.length > 0 ? `?${query.join('&')}` : '';
};

/** Where the path does not name the action, the body does. */
const bodyHint = (binding: RestBinding, input: StepInput): string => {
  if (!binding.options.namesAction) return '';
  const inUrl = new Set([...binding.parameters, ...binding.queryNames].map(([, member]) => member));
  const members = Object.entries(input).filter(([member]) => !inUrl.has(member));
  return `; the body is {${members.map(([name, value]) => `"${name}": "${value}"`).join(', ')}}`;
};
