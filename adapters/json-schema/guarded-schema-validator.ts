import { setImmediate } from 'node:timers/promises';
import { BoundedCache } from '../../domain/kernel/bounded-cache.ts';
import type { JsonObject, JsonValue } from '../../domain/kernel/canonical-json.ts';
import { NotaryError, type FieldError } from '../../domain/kernel/errors.ts';
import type { Uuid } from '../../domain/kernel/ids.ts';
import { compatibilityBreaches } from '../../domain/record-type/compatibility.ts';
import type { Manifest } from '../../domain/record-type/manifest.ts';
import type {
  SchemaValidator,
  SchemaValidators,
  ValidationOutcome,
} from '../../domain/record-type/schema-validator.port.ts';
import type { AjvSchemaValidator } from './ajv-schema-validator.ts';
import type { SchemaLanes } from './schema-lanes.ts';
import { TaskGivenUp } from './schema-thread.ts';
import { schemaWeight, valueWeight } from './schema-weight.ts';

/**
 * Keeps customers' schemas from blocking the event loop: light work runs at once, everything else
 * in a separate thread, where the orgs take turns. Counts over schema and content, and a small budget of steps, decide which;
 * the clock never does.
 */
export class GuardedSchemaValidator implements SchemaValidators {
  /** Indexed by key, because a key always stands for one schema. */
  private readonly weights = new BoundedCache<number>(10_000);
  private readonly texts = new WeakMap<object, string>();

  constructor(
    private readonly validator: AjvSchemaValidator,
    private readonly lanes: SchemaLanes,
    private readonly maxWeight = MAX_WEIGHT,
  ) {}

  of(orgId: Uuid): SchemaValidator {
    return {
      check: (schema) => this.check(orgId, schema),
      validate: (key, schema, value) => this.validate(orgId, key, schema, value),
      compare: (previous, next) => this.compare(orgId, previous, next),
    };
  }

  private async check(orgId: Uuid, schema: JsonObject): Promise<readonly FieldError[]> {
    if (schemaWeight(schema, this.maxWeight) <= this.maxWeight) {
      // Yields first: a request may check two schemas or more.
      await setImmediate();
      return this.validator.check(schema);
    }
    const answer = await this.refusable(
      () => this.lanes.registration.run(orgId, { kind: 'check', schema: this.text(schema) }),
      '',
    );
    return typeof answer === 'string' ? (JSON.parse(answer) as readonly FieldError[]) : answer;
  }

  private async validate(
    orgId: Uuid,
    key: string,
    schema: JsonObject,
    value: JsonValue,
  ): Promise<ValidationOutcome> {
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
        await this.lanes.validation.run(orgId, {
          kind: 'validate',
          key,
          schema: this.text(schema),
          value: JSON.stringify(value),
        }),
      ) as ValidationOutcome;
    } catch (error) {
      throw error instanceof TaskGivenUp ? notNow(error) : error;
    }
  }

  private async compare(
    orgId: Uuid,
    previous: Manifest,
    next: Manifest,
  ): Promise<readonly FieldError[]> {
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
        this.lanes.registration.run(orgId, {
          kind: 'compare',
          previous: this.text(previous),
          next: this.text(next),
        }),
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
      if (error.reason !== 'too-long' && error.reason !== 'crashed') throw notNow(error);
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

const notNow = (cause: TaskGivenUp): NotaryError => {
  switch (cause.reason) {
    case 'org-full':
      return new NotaryError(
        'RATE_LIMITED',
        'Your org has as many large schemas and contents under examination as it may have at once; nothing was stored.',
        {
          retryAfter: 5,
          suggestion: 'Wait for the answers to the calls under way, then repeat this one.',
        },
        { cause },
      );
    case 'queue-full':
    case 'waited':
    case 'stopped':
      return new NotaryError(
        'SERVICE_UNAVAILABLE',
        'Too many large schemas and contents wait to be examined; nothing was stored.',
        { retryAfter: 5 },
        { cause },
      );
    case 'too-long':
    case 'crashed':
      return new NotaryError(
        'SERVICE_UNAVAILABLE',
        'The content could not be judged against the schema of its type within seconds; nothing was stored.',
        { suggestion: 'Send less, or register a version of the type with a simpler schema.' },
        { cause },
      );
  }
};
