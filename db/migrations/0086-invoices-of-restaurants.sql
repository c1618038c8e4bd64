-- What restaurants pay is in the ledger, too: a payment moves what a restaurant owes to the account `bank`.
alter table postings drop constraint postings_account_check;
alter table postings add constraint postings_account_check
  check (account in ('member', 'program', 'payout', 'restaurant', 'partner', 'platform', 'debt', 'bank'));
alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in ('award', 'correction', 'refund',
  'statement-credit', 'adjustment', 'returned-credit', 'debt', 'written-off-debt', 'merge', 'payment', 'undone-payment'));

-- One invoice for each restaurant that owes something, or is owed something, for a closed month (UTC) of a program.
create table restaurant_invoices (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  -- As the restaurant reads it: 202611-0042.
  number text not null check (number ~ '^\d{6}-\d{4,}$'),
  merchant_id bigint not null references merchants,
  month date not null check (month = date_trunc('month', month)::date),
  -- What the ledger posted in the month; below zero, the restaurant is owed.
  month_cents bigint not null,
  -- What the restaurant was owed by its invoice before; that one is settled with this one.
  carried_cents bigint not null check (carried_cents <= 0),
  total_cents bigint not null generated always as (month_cents + carried_cents) stored,
  -- The sum of its payments.
  paid_cents bigint not null default 0 check (paid_cents between 0 and greatest(month_cents + carried_cents, 0)),
  issued_at timestamptz not null default now(),
  due_on date not null,
  unique (partner_id, id),
  unique (partner_id, number),
  unique (partner_id, merchant_id, month)
);
create index restaurant_invoices_by_month on restaurant_invoices (partner_id, month desc, id desc);
create index restaurant_invoices_open on restaurant_invoices (partner_id, due_on)
  where paid_cents < month_cents + carried_cents;
call enable_tenant_isolation('restaurant_invoices');
grant select, insert on restaurant_invoices to dineback_app;
grant update (paid_cents) on restaurant_invoices to dineback_app;

create table restaurant_payments (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  -- The source of its journal entries.
  public_id text not null unique,
  invoice_id bigint not null,
  cents bigint not null check (cents > 0),
  paid_on date not null,
  -- What the bank statement says.
  reference text not null check (length(reference) <= 200),
  recorded_at timestamptz not null default now(),
  recorded_by text not null,
  undone_at timestamptz,
  undone_by text,
  undone_reason text,
  foreign key (partner_id, invoice_id) references restaurant_invoices (partner_id, id),
  check ((undone_at is null) = (undone_by is null) and (undone_at is null) = (undone_reason is null))
);
create index restaurant_payments_of_invoice on restaurant_payments (partner_id, invoice_id);
-- The same payment, sent twice or also in a file, counts once.
create unique index restaurant_payments_once on restaurant_payments (partner_id, invoice_id, paid_on, cents, reference)
  where undone_at is null;
call enable_tenant_isolation('restaurant_payments');
grant select, insert on restaurant_payments to dineback_app;
grant update (undone_at, undone_by, undone_reason) on restaurant_payments to dineback_app;
