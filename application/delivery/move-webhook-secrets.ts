import type { WebhookReads } from '../../domain/delivery/webhook-store.port.ts';
import { ZERO_UUID, type Uuid } from '../../domain/kernel/ids.ts';
import type { UnitOfWork } from '../ports/unit-of-work.port.ts';
import type { WebhookSecrets } from './webhook-secrets.port.ts';

const PAGE = 100;

/** Encrypts secrets of webhooks under the newest SECRETS_KEY, so that an older one can be dropped. */
export class MoveWebhookSecrets {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly webhooks: WebhookReads,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Whether a secret is under an older SECRETS_KEY. */
  async isNeeded(): Promise<boolean> {
    for await (const _old of this.old()) return true;
    return false;
  }

  /** @returns how many webhooks were changed. The secrets themselves stay, and so does the version of their rows. */
  async run(): Promise<number> {
    let moved = 0;
    for await (const id of this.old()) moved += await this.move(id);
    return moved;
  }

  private async *old(): AsyncGenerator<Uuid> {
    let after = ZERO_UUID;
    for (;;) {
      const page = await this.webhooks.withSecrets(after, PAGE);
      for (const { id, secret, previousSecret } of page)
        if (
          [secret, previousSecret].some((sealed) => sealed !== null && this.secrets.isOld(sealed))
        )
          yield id;
      if (page.length < PAGE) return;
      after = page.at(-1)!.id;
    }
  }

  private move(id: Uuid): Promise<number> {
    const again = (sealed: Uint8Array | null): Uint8Array | null => {
      const secret = sealed && this.secrets.open(sealed, id);
      // One that cannot be opened stays as it is: its deliveries say so.
      return secret ? this.secrets.seal(secret, id) : sealed;
    };
    return this.unitOfWork.transaction(async ({ webhooks }) => {
      const before = await webhooks.lock(id);
      if (!before) return 0;
      const [secret, previousSecret] = [again(before.secret), again(before.previousSecret)];
      if (secret === before.secret && previousSecret === before.previousSecret) return 0;
      await webhooks.update({ ...before, secret, previousSecret });
      return 1;
    });
  }
}
