/** The two parties of a record. */
export type Side = 'principal' | 'performer';

/** Who, or what, has to act next; null: nobody. */
export type Awaiting = Side | 'gate' | 'children' | null;
