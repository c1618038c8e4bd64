-- Claims for missing transactions that the program cannot explain. An operator decides; the application, which alone
-- writes to the ledger, carries out the decision.
create table claims (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  transaction_date date not null,
  merchant_id bigint references merchants,
  merchant_name text not null check (length(merchant_name) between 1 and 120),
  amount_cents bigint not null check (amount_cents > 0),
  card_id bigint references cards,
  note text not null default '' check (length(note) <= 1000),
  receipt_name text,
  receipt_type text,
  receipt bytea check (octet_length(receipt) <= 2097152),
  -- The explanation at the time when the claim was opened.
  findings jsonb not null,
  opened_at timestamptz not null default now(),
  respond_by timestamptz not null,
  -- {"code": ..., "words": ..., "benefit": smallest unit}
  decision jsonb,
  decided_by text,
  decided_at timestamptz,
  settled_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
-- There is one claim per transaction, however often the form is submitted.
create unique index claims_once on claims (partner_id, member_id, transaction_date, lower(merchant_name), amount_cents);
create index claims_open on claims (partner_id, respond_by) where decided_at is null;
create index claims_unsettled on claims (partner_id, decided_at) where decided_at is not null and settled_at is null;
call enable_tenant_isolation('claims');
grant select, insert, update on claims to dineback_app;

-- Reviews of transactions. The public review of the restaurant is in merchant_reviews.
create table reviews (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  transaction_id bigint not null unique references transactions,
  -- The id of the form service's response.
  response_id text,
  merchant_review_id bigint references merchant_reviews on delete set null,
  completed_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index reviews_by_member on reviews (member_id);
call enable_tenant_isolation('reviews');
grant select, insert, update on reviews to dineback_app;
