import { _, Ajv2020, type KeywordCxt, str, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { multiplesOf } from '../../domain/kernel/decimal.ts';
import type { FieldError } from '../../domain/kernel/errors.ts';
import { FORMATS } from './formats.ts';
import { linearRegExp, type Meter } from './linear-regexp.ts';
import { metered, STEPS } from './metered-schema.ts';
import { identity, isComposite } from './json-identity.ts';
import { fieldErrors } from './field-errors.ts';

/** An ajv instance whose compiled schemas charge a meter. */
export class MeteredAjv implements Meter {
  private readonly ajv: Ajv2020;
  private readonly charges = new Map<string, (value: JsonValue) => boolean>();
  private readonly multipleTests = new Map<number, (value: number) => boolean>();
  private left = Number.POSITIVE_INFINITY;

  constructor(meta = false) {
    const regExp = Object.assign((pattern: string) => linearRegExp(pattern, this), {
      code: 'linearRegExp',
    });
    this.ajv = new Ajv2020({
      strict: true,
      // `required` in a branch of anyOf, a nullable type and an open tuple are sound and common.
      strictRequired: false,
      strictTuples: false,
      allowUnionTypes: true,
      // The check behind this option runs the customer's pattern on a backtracking engine.
      allowMatchingProperties: true,
      // This also keeps the generated code flat: code that stops at the first error nests one level
      // a property.
      allErrors: true,
      // `toString` and the like count as members only where the instance itself has them.
      ownProperties: true,
      meta,
      validateSchema: false,
      // Inlining would multiply the code of a schema that is referenced from many places.
      inlineRefs: false,
      logger: false,
      formats: FORMATS,
      // The optimiser takes as long as the rest of the compilation, and the runtime optimises
      // anyway.
      code: { regExp, optimize: false },
    });
    for (const keyword of ['enum', 'const', 'multipleOf', 'uniqueItems', '$async'])
      this.ajv.removeKeyword(keyword);
    // ajv resolves `$anchor`, but its list of known keywords lacks it.
    this.ajv.addKeyword('$anchor');
    this.ajv.addKeyword({
      keyword: 'enum',
      schemaType: 'array',
      compile: (values: readonly JsonValue[]) => {
        const known = new Set(values.map(identity));
        const composite = values.some(isComposite);
        return (value: JsonValue) =>
          (!isComposite(value) || composite) && known.has(this.paidIdentity(value));
      },
      error: {
        message: (context) =>
          `must be one of ${describeValues(context.schema as readonly JsonValue[])}`,
      },
    });
    this.ajv.addKeyword({
      keyword: 'const',
      compile: (constant: JsonValue) => {
        const known = identity(constant);
        return (value: JsonValue) =>
          isComposite(value) === isComposite(constant) && this.paidIdentity(value) === known;
      },
      error: { message: 'must be equal to constant' },
    });
    // ajv divides doubles, by which 19.99 is not a multiple of 0.01.
    this.ajv.addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      schemaType: 'number',
      before: 'format',
      code: (context: KeywordCxt) => {
        const test = context.gen.scopeValue('func', {
          ref: this.multipleTestOf(context.schema as number),
        });
        context.fail(_`!${test}(${context.data})`);
      },
      error: {
        message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
        params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
      },
    });
    this.ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      compile: (demanded: boolean) => (items: readonly JsonValue[]) =>
        !demanded || new Set(items.map((item) => this.paidIdentity(item))).size === items.length,
      error: { message: 'must not hold the same item twice' },
    });
    this.ajv.addKeyword({
      keyword: STEPS,
      before: '$ref',
      schemaType: 'array',
      errors: false,
      compile: ([steps, perCharacter, perMember]: [number, number, number]) =>
        this.chargeOf(steps, perCharacter, perMember),
    });
  }

  charge(steps: number): void {
    if ((this.left -= steps) < 0) throw new TooCostly();
  }

  /** @throws Error where ajv refuses the schema. */
  compile(schema: JsonObject): (value: JsonValue, steps: number) => readonly FieldError[] {
    const validate: ValidateFunction = this.ajv.compile(metered(schema));
    return (value, steps) => {
      this.left = steps;
      return validate(value) ? [] : fieldErrors(validate.errors);
    };
  }

  /** The violations of the meta-schema. */
  malformations(schema: JsonObject): readonly FieldError[] {
    return this.ajv.validateSchema({
      ...schema,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    }) === true
      ? []
      : fieldErrors(this.ajv.errors);
  }

  /**
   * One function for each price: the code generator keeps a list of all functions, and adding to
   * that list is slow.
   */
  private chargeOf(
    steps: number,
    perCharacter: number,
    perMember: number,
  ): (value: JsonValue) => boolean {
    const key = `${steps}/${perCharacter}/${perMember}`;
    const known = this.charges.get(key);
    if (known) return known;
    const charge = (value: JsonValue): boolean => {
      this.charge(
        steps +
          (typeof value === 'string'
            ? value.length * perCharacter
            : perMember > 0 && isComposite(value)
              ? Object.keys(value as object).length * perMember
              : 0),
      );
      return true;
    };
    this.charges.set(key, charge);
    return charge;
  }

  /** One function for each step, for the same reason. */
  private multipleTestOf(step: number): (value: number) => boolean {
    const known = this.multipleTests.get(step);
    if (known) return known;
    const test = multiplesOf(step, () => this.charge(STEPS_PER_LONG_DIVISION));
    this.multipleTests.set(step, test);
    return test;
  }

  private paidIdentity(value: JsonValue): string {
    const text = identity(value);
    this.charge(isComposite(value) ? 32 + text.length * 2 : 4 + text.length / 8);
    return text;
  }
}

/** If the digits of two numbers are compared (domain/kernel/decimal.ts). */
const STEPS_PER_LONG_DIVISION = 300;

export class TooCostly extends Error {}

const describeValues = (values: readonly JsonValue[]): string => {
  const shown = values.slice(0, 20).map((value) => JSON.stringify(value));
  return values.length > shown.length
    ? `${shown.join(', ')} and ${values.length - shown.length} more`
    : shown.join(', ');
};
