import type { Answer } from '../../http/http-exchange.ts';
import { EncodedDocument } from '../encoded-document.ts';

/** The files that the build makes for readers. */
export interface BuiltFiles {
  /** Null if there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
}

/** Serves files of the build. Each is read at its first request, and kept with its encodings. */
export class ServedFiles {
  private readonly documents = new Map<string, EncodedDocument>();

  /** @param change what this service fills into a file. */
  constructor(
    private readonly files: BuiltFiles,
    private readonly change: (bytes: Uint8Array, file: string) => Uint8Array = (bytes) => bytes,
  ) {}

  /** Null if there is no such file. @throws NotaryError NOT_ACCEPTABLE. */
  async answer(
    file: string,
    mediaType: string,
    acceptEncoding: string | undefined,
  ): Promise<Answer | null> {
    const document = this.documents.get(file) ?? (await this.load(file));
    return document && document.answer(mediaType, acceptEncoding);
  }

  private async load(file: string): Promise<EncodedDocument | null> {
    const bytes = await this.files.read(file);
    if (!bytes) return null;
    const document = new EncodedDocument(this.change(bytes, file));
    this.documents.set(file, document);
    return document;
  }
}
