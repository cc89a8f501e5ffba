import type { TSchema } from 'typebox';

/**
 * One part of an input, as a front-end hears it: the path, the query and the body of a request, or one message.
 * The parts together are the flat input of the operation.
 */
export interface InputPart {
  /** In refusals: "The body is not valid". */
  readonly noun: string;
  /** In refusals: "is not a known query parameter". */
  readonly memberNoun: string;
  /** An object that is closed: a member that it does not name is refused. Of a part that is one member, any schema. */
  readonly schema: TSchema;
  /** Members that are called otherwise in the input. */
  readonly names?: { readonly [wire: string]: string };
  /** The part as a whole is this member of the input. */
  readonly whole?: string;
  /** Told with a refusal: what is needed, what may be left out, and an example. */
  readonly hasHelp: boolean;
  readonly example?: unknown;
}

/** Checks values of a part. */
export type PartCheck = (value: unknown) => { readonly [member: string]: unknown };

/**
 * Checks inputs against their schemas. A check gives the members under the names of the input, with every UUID in lowercase
 * and every instant in UTC with milliseconds, so that equal inputs are equal bytes.
 */
export interface InputCheck {
  /**
   * Called once a part, at the start; when the schema is compiled is left open.
   *
   * The check throws VALIDATION_ERROR with every finding by JSON Pointer; an unknown member is named together with
   * the nearest known one, where one is near.
   */
  prepare(part: InputPart): PartCheck;
}
