import type { Kind } from '../ports/kinds.ts';

/** Why a file, or a folder, is not applied. */
export interface FileFault {
  /** Below the folder, with slashes, such as agents/clerk.yaml. */
  readonly file: string;
  /** JSON Pointer (RFC 6901) into the document; empty: the whole of it. */
  readonly pointer: string;
  readonly message: string;
}

/** A file that was read and is a JSON value, whatever is in it. */
export interface ReadFile {
  readonly file: string;
  readonly kind: Kind;
  /** Of its bytes, lowercase hex. */
  readonly sha256: string;
  readonly value: unknown;
}

export interface ReadFolder {
  /** The kinds that have a folder, be it an empty one. */
  readonly kinds: ReadonlySet<Kind>;
  /** In the order of their names. */
  readonly files: readonly ReadFile[];
  readonly faults: readonly (FileFault & { readonly kind: Kind | null })[];
}

/** The folder of provisioning files. */
export interface ProvisioningFiles {
  /** Null where none is configured. */
  readonly path: string | null;
  /**
   * Reads every file once. One that cannot be read, is no document, or vanishes meanwhile, is a fault and holds up no
   * other. No file outside of the folder is read, whatever links there are.
   */
  read(): Promise<ReadFolder>;
}
