import { NotaryError } from '../../domain/kernel/errors.ts';

/** The key stands for another input. It is kept nowhere: what the key stands for stays as it is. */
export class KeyUsedOtherwise extends NotaryError {
  constructor() {
    super(
      'UNPROCESSABLE',
      'This Idempotency-Key was used with another input. Use a new key for a new request.',
      {
        errors: [
          {
            path: '',
            keyword: 'idempotency-key',
            message: 'the input differs from that of the first request',
          },
        ],
      },
    );
  }
}
