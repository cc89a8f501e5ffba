import { setImmediate } from 'node:timers/promises';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, type FieldError } from '../../domain/kernel/errors.ts';
import { compatibilityBreaches } from '../../domain/record-type/compatibility.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type {
  SchemaValidator,
  ValidationOutcome,
} from '../../domain/record-type/schema-validator.port.ts';
import type { AjvSchemaValidator } from './ajv-schema-validator.ts';
import { TaskGivenUp, type SchemaThread } from './schema-thread.ts';
import { schemaWeight, valueWeight } from './schema-weight.ts';

/**
 * Keeps customers' schemas from blocking the event loop: light work runs at once, everything else
 * in a separate thread. Counts over schema and content, and a small budget of steps, decide which;
 * the clock never does.
 */
export class GuardedSchemaValidator implements SchemaValidator {
  /** Indexed by key, because a key always stands for one schema. */
  private readonly weights = new BoundedCache<number>(10_000);
  private readonly texts = new WeakMap<object, string>();

  constructor(
    private readonly validator: AjvSchemaValidator,
    private readonly thread: SchemaThread,
    private readonly maxWeight = MAX_WEIGHT,
  ) {}

  async check(schema: JsonObject): Promise<readonly FieldError[]> {
    if (schemaWeight(schema, this.maxWeight) <= this.maxWeight) {
      // Yields first: a request may check two schemas or more.
      await setImmediate();
      return this.validator.check(schema);
    }
    const answer = await this.refusable(
      () => this.thread.run({ kind: 'check', schema: this.text(schema) }),
      '',
    );
    return typeof answer === 'string' ? (JSON.parse(answer) as readonly FieldError[]) : answer;
  }

  async validate(key: string, schema: JsonObject, value: JsonValue): Promise<ValidationOutcome> {
    const weight = this.weight(key, schema);
    if (weight <= this.maxWeight) {
      const most = MAX_PRODUCT / weight;
      const outcome =
        valueWeight(value, most) > most
          ? null
          : this.validator.validateWithin(STEPS_AT_ONCE, key, schema, value);
      if (outcome) return outcome;
    }
    try {
      return JSON.parse(
        await this.thread.run({
          kind: 'validate',
          key,
          schema: this.text(schema),
          value: JSON.stringify(value),
        }),
      ) as ValidationOutcome;
    } catch (error) {
      throw error instanceof TaskGivenUp ? unavailable(error) : error;
    }
  }

  async compare(previous: Manifest, next: Manifest): Promise<readonly FieldError[]> {
    const schemas = [
      previous.criteriaSchema,
      previous.completionSchema,
      next.criteriaSchema,
      next.completionSchema,
    ];
    if (schemas.every((schema) => schemaWeight(schema, this.maxWeight) <= this.maxWeight)) {
      const budget = { pairs: PAIRS_AT_ONCE, steps: KEYWORDS_AT_ONCE };
      const errors = compatibilityBreaches(previous, next, budget);
      if (budget.pairs >= 0 && budget.steps >= 0) return errors;
    }
    const answer = await this.refusable(
      () =>
        this.thread.run({ kind: 'compare', previous: this.text(previous), next: this.text(next) }),
      '/completionSchema',
    );
    return typeof answer === 'string' ? (JSON.parse(answer) as readonly FieldError[]) : answer;
  }

  /**
   * A schema that a thread could not finish with is refused. A schema that only had to wait too
   * long is not.
   */
  private async refusable(
    run: () => Promise<string>,
    path: string,
  ): Promise<string | readonly FieldError[]> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof TaskGivenUp)) throw error;
      if (error.reason === 'queue-full' || error.reason === 'stopped') throw unavailable(error);
      return [
        {
          path,
          keyword: 'cost',
          message:
            'the schema is too costly to be examined; make it smaller, or give it fewer patterns and alternatives',
        },
      ];
    }
  }

  private weight(key: string, schema: JsonObject): number {
    const known = this.weights.get(key);
    if (known !== undefined) return known;
    const weight = schemaWeight(schema, this.maxWeight);
    this.weights.set(key, weight);
    return weight;
  }

  /** Record types come out of a cache as the same objects, so one text serves many calls. */
  private text(value: object): string {
    const known = this.texts.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    this.texts.set(value, text);
    return text;
  }
}

/** The weight up to which a schema is compiled at once: about 10 ms. */
const MAX_WEIGHT = 100;
/** The weight up to which content is validated at once. */
const MAX_PRODUCT = 500_000;
/**
 * Beyond this many steps the thread starts again with the full budget: about 10 ms are spent in
 * vain.
 */
const STEPS_AT_ONCE = 500_000;
const PAIRS_AT_ONCE = 300;
const KEYWORDS_AT_ONCE = 10_000;

const unavailable = (cause: TaskGivenUp): NotaryError =>
  cause.reason === 'queue-full' || cause.reason === 'stopped'
    ? new NotaryError(
        'SERVICE_UNAVAILABLE',
        'Too many contents wait to be judged against large schemas; nothing was stored.',
        {},
        { cause },
      )
    : new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The content could not be judged against the schema of its type within seconds; nothing was stored.',
        { suggestion: 'Send less, or register a version of the type with a simpler schema.' },
        { cause },
      );
