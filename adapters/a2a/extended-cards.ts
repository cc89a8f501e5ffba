import type { SignDocument } from '../../application/sealing/sign-document.ts';
import type { JsonObject } from '../../domain/kernel/canonical-json.ts';
import { agentCard, type CardSettings } from './agent-card.ts';
import { type A2aVersion } from './spoken-versions.ts';
import { cardTo03 } from './card-to-v0-3.ts';
import type { RpcCall } from './rpc-call.ts';
import { SignedCard } from './signed-card.ts';
import { SKILLS, type Skill } from './skills.ts';

/** There are as many as there are sets of scopes; beyond this the cards are made anew. */
const MAX_KEPT = 64;

/** The card with the skills of which a credential may call an operation, signed once for all that may call the same. */
export class ExtendedCards {
  private kept = new Map<string, SignedCard>();

  constructor(
    private readonly settings: CardSettings,
    private readonly documents: Pick<SignDocument, 'keyId' | 'sign'>,
  ) {}

  async of(call: RpcCall, version: A2aVersion): Promise<JsonObject> {
    const open = openTo(call);
    const shown = open.map(({ id, operations }) => [id, ...operations.map((one) => one.id)]);
    const name = JSON.stringify([version, shown]);
    const card = this.kept.get(name) ?? this.make(open, version);
    if (this.kept.size >= MAX_KEPT) this.kept = new Map();
    this.kept.set(name, card);
    return (await card.read()).card;
  }

  private make(skills: readonly Skill[], version: A2aVersion): SignedCard {
    const card = agentCard(this.settings, skills);
    return new SignedCard(version === '1.0' ? card : cardTo03(card), this.documents, card);
  }
}

const openTo = (call: RpcCall): readonly Skill[] =>
  SKILLS.flatMap((skill) => {
    const [first, ...others] = skill.operations.filter((operation) => call.mayCall(operation));
    return first ? [{ ...skill, operations: [first, ...others] as const }] : [];
  });
