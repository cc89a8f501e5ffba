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
  /** What fixes the most first. */
  private readonly byOperation = new Map<string, Way[]>();

  constructor(bindings: readonly RestBinding[]) {
    for (const binding of bindings) {
      const { id } = binding.operation;
      this.byOperation.set(id, [...(this.byOperation.get(id) ?? []), wayOf(binding)]);
    }
    for (const ways of this.byOperation.values())
      ways.sort((a, b) => b.fixed.length - a.fixed.length);
  }

  /** Undefined where REST has no path for the operation. */
  show({ operation, input, action, description, ...rest }: NextStep): ShownStep | undefined {
    const way = this.byOperation.get(operation)?.find(({ fixed }) => fits(fixed, input));
    if (!way) return undefined;
    return {
      action,
      method: way.binding.options.method,
      href: way.href(input),
      description: `${description}${bodyHint(way.binding, input)}`,
      ...rest,
    };
  }
}

/** One way to call an operation, taken apart once: each record of a page shows several steps. */
interface Way {
  readonly binding: RestBinding;
  readonly fixed: readonly (readonly [member: string, value: unknown])[];
  href(input: StepInput): string;
}

const wayOf = (binding: RestBinding): Way => ({
  binding,
  fixed: Object.entries(binding.fixed ?? {}),
  href: hrefOf(binding),
});

const hrefOf = ({ options, parameters, queryNames }: RestBinding): Way['href'] => {
  const [before, ...texts] = options.path.split(/\{\w+\}/);
  return (input) => {
    let href = before!;
    parameters.forEach(([name, member], at) => {
      const value = input[member];
      href += (value === undefined ? `{${name}}` : encodeURIComponent(value)) + texts[at]!;
    });
    let mark = '?';
    for (const [name, member] of queryNames) {
      const value = input[member];
      if (value === undefined) continue;
      href += `${mark}${name}=${encodeURIComponent(value)}`;
      mark = '&';
    }
    return href;
  };
};

/** `/v1/records/{id}` with the parameters in place. */
export const fillPath = (
  path: string,
  params: { readonly [name: string]: string | undefined },
): string =>
  path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    params[name] === undefined ? whole : encodeURIComponent(params[name]),
  );

type StepInput = NextStep['input'];

const fits = (fixed: Way['fixed'], input: StepInput): boolean =>
  fixed.every(([member, value]) => input[member] === value);

/** Where the path does not name the action, the body does. */
const bodyHint = (binding: RestBinding, input: StepInput): string => {
  if (!binding.options.namesAction) return '';
  const inUrl = new Set([...binding.parameters, ...binding.queryNames].map(([, member]) => member));
  const members = Object.entries(input).filter(([member]) => !inUrl.has(member));
  return `; the body is {${members.map(([name, value]) => `"${name}": "${value}"`).join(', ')}}`;
};
