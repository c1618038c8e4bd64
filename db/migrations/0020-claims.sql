-- Meals that members miss. What the program could not explain by itself an operator decides; the decision is carried
-- out by the application, which alone writes into the ledger.
create table claims (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  dined_on date not null,
  merchant_id bigint references merchants,
  merchant_name text not null check (length(merchant_name) between 1 and 120),
  amount_cents bigint not null check (amount_cents > 0),
  card_id bigint references cards,
  note text not null default '' check (length(note) <= 1000),
  receipt_name text,
  receipt_type text,
  receipt bytea check (octet_length(receipt) <= 2097152),
  -- What the program knew of it when the claim was opened.
  findings jsonb not null,
  opened_at timestamptz not null default now(),
  answer_by timestamptz not null,
  -- {"code": ..., "words": ..., "benefit": smallest unit}
  decision jsonb,
  decided_by text,
  decided_at timestamptz,
  settled_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
-- The same meal is claimed once, however often the form is sent.
create unique index claims_once on claims (partner_id, member_id, dined_on, lower(merchant_name), amount_cents);
create index claims_open on claims (partner_id, answer_by) where decided_at is null;
create index claims_unsettled on claims (partner_id, decided_at) where decided_at is not null and settled_at is null;
call build_wall('claims');
grant select, insert, update on claims to dineback_app;
grant select on claims to dineback_console;
grant update (decision, decided_by, decided_at) on claims to dineback_console;
-- What an operator looks at to decide: the member's meals of those days, and what nobody could be found for.
grant select (id, partner_id, public_id, member_id, merchant_id, merchant_name, card_last_four, type_code, stage,
  award_status, ticket_cents, dine_cents, refunded_cents, benefit, unit, unmatched, dined_at) on transactions
  to dineback_console;
grant select (id, partner_id, last_four) on cards to dineback_console;
