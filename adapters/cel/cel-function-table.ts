import { CelFault } from './cel-fault.ts';
import { celError, isCelError, type CelInput, type CelValue } from '@bufbuild/cel';
import { ANY, indexOfKind, kindOf, kindsIn, type Kinds, KIND_NAMES } from './cel-kinds.ts';
import { ofKinds, type StaticType } from './cel-static-type.ts';

/** One signature of a function, and what it does. The target of a method call comes first. */
export interface Overload {
  readonly name: string;
  readonly method: boolean;
  /** What each operand may be. */
  readonly operands: readonly Kinds[];
  readonly result: (operands: readonly StaticType[]) => StaticType;
  /** Throws for operands that it has no value for; the message says why and holds no content. */
  readonly run: (...operands: never[]) => CelInput;
}

type Result = Kinds | Overload['result'];

export const func = (
  name: string,
  operands: readonly Kinds[],
  result: Result,
  run: Overload['run'],
): Overload => ({
  name,
  method: false,
  operands,
  result: typeof result === 'number' ? always(result) : result,
  run,
});

export const method = (
  name: string,
  operands: readonly Kinds[],
  result: Result,
  run: Overload['run'],
): Overload => ({ ...func(name, operands, result, run), method: true });

const always = (kinds: Kinds): Overload['result'] => {
  const type = ofKinds(kinds);
  return () => type;
};

/**
 * The overloads by name. An overload is found by the kinds of its operands at once, not by trying
 * one after the other. It has the shape that the library asks of its functions.
 */
export class FunctionTable {
  private readonly groups = new Map<string, FunctionGroup>();

  constructor(overloads: readonly Overload[]) {
    for (const overload of overloads) {
      const group = this.groups.get(overload.name) ?? new FunctionGroup(overload.name);
      group.add(overload);
      this.groups.set(overload.name, group);
    }
  }

  find(name: string): FunctionGroup | undefined {
    return this.groups.get(name);
  }

  get names(): readonly string[] {
    return [...this.groups.keys()];
  }
}

export class FunctionGroup {
  readonly overloads: Overload[] = [];
  private readonly bySignature = new Map<number, Overload>();

  constructor(readonly name: string) {}

  add(overload: Overload): void {
    this.overloads.push(overload);
    for (const signature of signaturesOf(overload)) {
      if (this.bySignature.has(signature))
        throw new Error(`two overloads of ${this.name} take the same operands`);
      this.bySignature.set(signature, overload);
    }
  }

  /** What the library calls. An error is returned, never thrown. */
  call(id: number, target: CelValue | undefined, args: CelValue[]): CelValue {
    const operands = target === undefined ? args : [target, ...args];
    let signature = target === undefined ? 1 : 2;
    for (const operand of operands) signature = signature * RADIX + indexOfKind(kindOf(operand));
    const overload = this.bySignature.get(signature);
    try {
      if (overload === undefined) throw new NoOverload(this.name, operands.map(kindOf));
      return overload.run(...(operands as never[])) as CelValue;
    } catch (error) {
      return (isCelError(error) ? error : celError(error, id)) as unknown as CelValue;
    }
  }
}

/** cel-spec, "Runtime Errors": no_matching_overload. */
export class NoOverload extends CelFault {
  constructor(name: string, kinds: readonly Kinds[]) {
    super(`${operatorOf(name)} is not defined for ${kindsInWords(kinds)}`);
  }
}

export const operatorOf = (name: string): string =>
  name === '@in' ? 'in' : name.startsWith('@') ? name.slice(1) : name.replaceAll('_', '') || name;

export const kindsInWords = (kinds: readonly Kinds[]): string =>
  kinds
    .map((kind) =>
      kindsIn(kind)
        .map((each) => KIND_NAMES[indexOfKind(each)]!.replace('google.protobuf.', '').toLowerCase())
        .map((name) => (name === 'null_type' ? 'null' : name))
        .join('|'),
    )
    .join(' and ') || 'nothing';

const RADIX = KIND_NAMES.length;

const signaturesOf = ({ method: isMethod, operands }: Overload): number[] =>
  operands.reduce<number[]>(
    (signatures, kinds) =>
      signatures.flatMap((signature) =>
        kindsIn(kinds & ANY).map((kind) => signature * RADIX + indexOfKind(kind)),
      ),
    [isMethod ? 2 : 1],
  );
