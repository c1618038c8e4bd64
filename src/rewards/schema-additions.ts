// Columns that the generated schema does not know yet. Goes when it is generated again.
declare module '../kit/server/schema.ts' {
  interface FeedMessages {
    network_id: string
    related_id: string | null
  }
  interface Transactions {
    card_token: string | null
  }
}

export {}
