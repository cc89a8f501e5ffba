import type { JsonObject, JsonValue } from '../../../domain/kernel/canonical-json.ts';

/** One operation of the document, with where it stands. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly scopes: readonly string[];
  readonly roles: readonly string[];
  readonly parameters: readonly JsonObject[];
  readonly body: JsonObject | null;
  /** By status, references resolved. */
  readonly answers: readonly (readonly [string, JsonObject])[];
}

export interface DocumentedTag {
  readonly name: string;
  readonly description: string;
}

/** An OpenAPI 3.1 document of our own making (adapters/rest/openapi.ts), read for people. */
export class OpenApiReader {
  readonly operations: readonly DocumentedOperation[];

  constructor(private readonly document: JsonObject) {
    this.operations = Object.entries(objectOf(document['paths'])).flatMap(([path, methods]) =>
      Object.entries(objectOf(methods)).map(([method, operation]) =>
        this.operation(path, method, objectOf(operation)),
      ),
    );
  }

  get tags(): readonly DocumentedTag[] {
    return listOf(this.document['tags']).map((tag) => ({
      name: textOf(objectOf(tag)['name']),
      description: textOf(objectOf(tag)['description']),
    }));
  }

  get schemas(): readonly (readonly [string, JsonObject])[] {
    return Object.entries(objectOf(objectOf(this.document['components'])['schemas'])).map(
      ([name, schema]) => [name, objectOf(schema)],
    );
  }

  /** What a reference points to; anything else as it is. */
  resolved(value: JsonValue | undefined): JsonObject {
    const found = objectOf(value);
    const { $ref } = found;
    if (typeof $ref !== 'string') return found;
    return $ref
      .slice('#/'.length)
      .split('/')
      .reduce(
        (place, part) => objectOf(place[part.replaceAll('~1', '/').replaceAll('~0', '~')]),
        this.document,
      );
  }

  private operation(path: string, method: string, operation: JsonObject): DocumentedOperation {
    const { requestBody, responses } = operation;
    return {
      id: textOf(operation['operationId']),
      method: method.toUpperCase(),
      path,
      tag: textOf(listOf(operation['tags'])[0]),
      summary: textOf(operation['summary']),
      description: textOf(operation['description']),
      isDeprecated: operation['deprecated'] === true,
      scopes: listOf(operation['x-required-scopes']).map(textOf),
      roles: listOf(operation['x-required-roles']).map(textOf),
      parameters: listOf(operation['parameters']).map((one) => this.resolved(one)),
      body: requestBody === undefined ? null : this.resolved(requestBody),
      answers: Object.entries(objectOf(responses)).map(
        ([status, answer]) => [status, this.resolved(answer)] as const,
      ),
    };
  }
}

export const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

export const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : '';
