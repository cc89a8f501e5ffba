import type { TObject, TSchema } from 'typebox';
import type { Access } from '../../application/call/access.ts';
import type { Budget } from '../../application/call/budgets.ts';
import type { ErrorCode } from '../../domain/kernel/errors.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The description of one method of one path, for the OpenAPI document. */
export interface RouteDoc {
  readonly method: Method;
  /** In the form of OpenAPI: `/v1/records/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  readonly access: Access;
  readonly limit: Budget;
  readonly params: TObject | null;
  readonly query: TObject | null;
  readonly body: TSchema | null;
  /** No member is required, so a request without a body and without Content-Type counts as `{}`. */
  readonly bodyOptional: boolean;
  /** Named example bodies. */
  readonly examples: { readonly [name: string]: unknown };
  readonly answers: { readonly [status: number]: AnswerDoc };
  /** Refusals beyond those that follow from the access, the parameters and the body. */
  readonly problems: readonly ErrorCode[];
  /** The media types of a body of bytes; the schema is that of their base64. */
  readonly consumes?: readonly string[];
  /** Media types that the answer comes in, best first. */
  readonly produces: readonly string[];
  /** Takes If-Match with the ETag of the resource. */
  readonly ifMatch: boolean;
  readonly isDeprecated?: boolean;
  /** Request headers of this route alone, each with its description. */
  readonly headers: { readonly [name: string]: string };
}

export interface AnswerDoc {
  readonly description: string;
  readonly schema: TSchema;
  readonly example: unknown;
  /** Its signedStatement is never null, although the schema would allow it. */
  readonly isSealed?: boolean;
  /** For each media type that is not JSON: an example as text. */
  readonly texts?: { readonly [mediaType: string]: string };
  /** Response headers of this answer, by name, with their description. */
  readonly headers?: { readonly [name: string]: string };
}
