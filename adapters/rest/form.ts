/** One form that an answer comes in. */
export interface Form<V = unknown> {
  /** As the member `format` of an input says it. */
  readonly name: string;
  readonly mediaType: string;
  /** Where the view says what it comes as: that, and not `mediaType`. */
  mediaTypeOf?(view: V): string;
  /** Of the answer, for the documents; JSON shows the example of the operation. */
  readonly example?: string;
  /** Makes the answer while it is sent; JSON where it is left out. A method, so that forms of every view fit into one list. */
  parts?(view: V): AsyncIterable<string | Uint8Array>;
  /** The answer as bytes; refusals then come in CBOR where Accept names it (RFC 9290). */
  bytes?(view: V): Uint8Array;
}

export const JSON_FORM: Form = { name: 'json', mediaType: 'application/json' };
