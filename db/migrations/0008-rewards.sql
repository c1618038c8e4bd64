-- Feed: messages of the card networks. Two messages are the same when transaction, event and update time are. The
-- primary key stores the messages of a transaction together and rejects duplicates.
create table feed_messages (
  partner_id text not null,
  -- The purchase or refund that the message is about.
  network_id text not null,
  event text not null,
  updated_at timestamptz not null,
  -- The purchase that a refund names. A column, because row-level security prevents the use of an index on an expression
  -- of the body.
  related_id text,
  card_token text,
  is_refund boolean not null default false,
  -- As received; only read as a whole.
  body json not null,
  outcome text not null check (outcome in ('applied', 'unmatched', 'ignored')),
  received_at timestamptz not null default now(),
  primary key (partner_id, network_id, event, updated_at)
);
create index feed_messages_by_related on feed_messages (partner_id, related_id) where related_id is not null;
-- Refunds that name no purchase are found by their card.
create index feed_messages_lone_refunds on feed_messages (partner_id, card_token) where is_refund and related_id is null;
create trigger feed_messages_partner_exists after insert on feed_messages
  referencing new table as new_rows for each statement execute function check_partner_exists();
call enable_tenant_isolation('feed_messages');
grant select, insert on feed_messages to dineback_app;

-- Files of events: the progress of each, and the results of its lines.
create table feed_files (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  -- A file is identified by its content, not by its name.
  content_hash text not null,
  name text not null,
  lines_read bigint not null default 0,
  applied bigint not null default 0,
  unmatched bigint not null default 0,
  repeated bigint not null default 0,
  ignored bigint not null default 0,
  rejected bigint not null default 0,
  -- The first rejected lines, with their codes: [{"line": 12, "code": "malformed"}].
  faults jsonb not null default '[]',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (partner_id, content_hash)
);
create index feed_files_unfinished on feed_files (partner_id, started_at) where finished_at is null;
call enable_tenant_isolation('feed_files');
grant select, insert, update on feed_files to dineback_app;

-- Additional rewards of a program for some of its members at some restaurants.
create table flex_offers (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  merchant_id bigint not null references merchants,
  -- The tiers that are eligible.
  tiers text[] not null check (tiers <@ array['OptedOut', 'NonActivated', 'OptedIn', 'VIP']),
  -- Added to the program's rate: smallest units per 100 dollars.
  extra_rate int not null check (extra_rate between 1 and 10000),
  starts_on date not null,
  ends_on date,
  unique (partner_id, merchant_id, starts_on)
);
call enable_tenant_isolation('flex_offers');
grant select, insert, update, delete on flex_offers to dineback_app;

-- The terms of a program and a merchant, stored once for all transactions whose awards they determined. Never changed.
create table award_terms (
  partner_id text not null references partners,
  -- The first half of the SHA-256 of the terms with sorted keys: the same terms are the same row.
  id uuid not null,
  -- {"program": ..., "merchant": ... or null}
  terms jsonb not null,
  primary key (partner_id, id)
);
call enable_tenant_isolation('award_terms');
grant select, insert on award_terms to dineback_app;

-- One row per purchase, from authorization through clearing to refunds.
create table transactions (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  network_id text not null,
  member_id bigint,
  card_id bigint references cards,
  merchant_id bigint references merchants,
  merchant_name text not null,
  network_location_id text not null,
  -- The vault's token of the card; null for entries without a card.
  card_token text,
  card_last_four text not null check (card_last_four ~ '^\d{4}$'),
  type_code text not null default 'S' check (type_code in ('M', 'J', '+', 'A', 'B', 'S')),
  stage text not null check (stage in ('authorized', 'cleared', 'refunded')),
  award_status text not null check (award_status in ('Awarded', 'Pending', 'Forfeit', 'Paid', 'Deferred')),
  -- The authorized, the cleared and the refunded amount.
  ticket_cents bigint not null default 0,
  cleared_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- The award in the smallest unit of `unit`.
  benefit bigint not null default 0,
  unit text not null check (unit in ('mile', 'point', 'cent')),
  -- Why: {"code": ..., "rule": version, ...inputs}.
  reason jsonb not null,
  -- The award_terms that determined the award; null for entries made by hand.
  terms_id uuid,
  -- An offer limits spending or visits per month: the award depends on the month's other transactions.
  is_limited boolean not null default true,
  unmatched text check (unmatched in ('card', 'merchant')),
  occurred_at timestamptz not null,
  cleared_at timestamptz,
  paid_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (partner_id, network_id),
  foreign key (partner_id, member_id) references members (partner_id, id),
  check ((member_id is null) = (unmatched is not distinct from 'card'))
);
create index transactions_by_member on transactions (member_id, occurred_at desc, id desc);
create index transactions_limited on transactions (member_id, merchant_id, occurred_at)
  where is_limited and member_id is not null;
-- Finds by card, by card and location, and what waits for its card.
create index transactions_by_card on transactions (partner_id, card_token, network_location_id)
  where card_token is not null;
-- What waits for a restaurant to join.
create index transactions_without_merchant on transactions (partner_id, network_location_id) where unmatched = 'merchant';
-- What expires by time: awards deferred or waiting for a review, a clearing, a card or a restaurant.
create index transactions_waiting on transactions (partner_id, occurred_at) where award_status in ('Pending', 'Deferred');
create index transactions_unmatched on transactions (partner_id, unmatched, occurred_at) where unmatched is not null;
create trigger transactions_partner_exists after insert on transactions
  referencing new table as new_rows for each statement execute function check_partner_exists();
call enable_tenant_isolation('transactions');
grant select, insert, update on transactions to dineback_app;

-- Replaces a foreign key to award_terms, which would lock the one row that all transactions at a merchant share. Runs
-- once per statement.
create function check_award_terms_exist() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct partner_id, terms_id from new_rows where terms_id is not null) f
    where not exists (select from award_terms t where t.id = f.terms_id and t.partner_id = f.partner_id)
  ) then
    raise exception 'unknown terms in %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger transactions_terms_exist after insert on transactions
  referencing new table as new_rows for each statement execute function check_award_terms_exist();
create trigger transactions_new_terms_exist after update on transactions
  referencing new table as new_rows for each statement execute function check_award_terms_exist();

-- Double-entry ledger, append-only. The postings of a journal entry sum to zero in each unit.
create table journal_entries (
  id bigint generated always as identity,
  partner_id text not null,
  source text not null,
  source_id text not null,
  version int not null,
  kind text not null
    check (kind in ('award', 'correction', 'refund', 'statement-credit', 'adjustment', 'returned-credit')),
  reason jsonb not null,
  posted_at timestamptz not null default now(),
  primary key (partner_id, id),
  unique (partner_id, source, source_id, version)
);
-- Entries are inserted in the order of time, so a block range index finds a day.
create index journal_entries_by_day on journal_entries
  using brin (posted_at) with (pages_per_range = 16, autosummarize = on);
create trigger journal_entries_partner_exists after insert on journal_entries
  referencing new table as new_rows for each statement execute function check_partner_exists();
call enable_tenant_isolation('journal_entries');
grant select, insert on journal_entries to dineback_app;

-- Accounts of rewards: member, program, payout. Accounts of money: restaurant (pays), partner and platform (receive).
create table postings (
  id bigint generated always as identity primary key,
  partner_id text not null,
  journal_entry_id bigint not null,
  account text not null check (account in ('member', 'program', 'payout', 'restaurant', 'partner', 'platform')),
  member_id bigint,
  merchant_id bigint references merchants,
  unit text not null check (unit in ('mile', 'point', 'cent')),
  amount bigint not null check (amount <> 0),
  foreign key (partner_id, journal_entry_id) references journal_entries,
  foreign key (partner_id, member_id) references members (partner_id, id),
  check ((account = 'member') = (member_id is not null)),
  check ((account = 'restaurant') = (merchant_id is not null))
);
create index postings_by_journal_entry on postings (journal_entry_id);
create index postings_by_member on postings (member_id, unit) where member_id is not null;
create index postings_by_merchant on postings (merchant_id, journal_entry_id) where merchant_id is not null;
call enable_tenant_isolation('postings');
grant select, insert on postings to dineback_app;

-- One statement inserts all postings of a journal entry, so the postings of each statement must balance.
create function check_journal_entries_balance() returns trigger language plpgsql as $$
declare
  unbalanced bigint;
begin
  select journal_entry_id into unbalanced from new_rows group by journal_entry_id, unit having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'journal entry % does not balance', unbalanced using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger journal_entries_balance after insert on postings
  referencing new table as new_rows for each statement execute function check_journal_entries_balance();

-- Statement credits are paid by a payout processor.
create table statement_credits (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  journal_entry_id bigint not null,
  amount_cents bigint not null check (amount_cents > 0),
  target_type text not null check (target_type in ('card', 'other')),
  target_label text not null,
  -- A card brand, the brand of a payout provider, or XXXX when unknown.
  brand text not null default 'XXXX',
  delivery text not null default 'Card' check (delivery in ('Card', 'Email')),
  processor text not null,
  status text not null check (status in ('pending', 'pending_received', 'completed', 'rejected', 'error')),
  -- When it is submitted, or its outcome is asked for.
  next_attempt_at timestamptz not null default now(),
  -- The journal entry that returned a rejected credit to the balance.
  return_journal_entry_id bigint,
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  foreign key (partner_id, journal_entry_id) references journal_entries,
  foreign key (partner_id, return_journal_entry_id) references journal_entries
);
create index statement_credits_by_member on statement_credits (member_id, created_at desc);
create index statement_credits_open on statement_credits (partner_id, next_attempt_at)
  where status in ('pending', 'pending_received');
create index statement_credits_failed on statement_credits (partner_id) where status in ('rejected', 'error');
call enable_tenant_isolation('statement_credits');
grant select, insert, update on statement_credits to dineback_app;

-- The orders of the processor that comes with Dineback: received and paid, each credit once.
create table payout_orders (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  credit_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  received_at timestamptz not null default now(),
  paid_at timestamptz,
  unique (partner_id, credit_id)
);
call enable_tenant_isolation('payout_orders');
grant select, insert, update on payout_orders to dineback_app;

-- Bonuses that members have activated. Those that they could activate follow from the program's configuration.
create table member_bonuses (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  code text not null,
  status text not null check (status in ('Enrolled', 'Qualified')),
  -- The terms at activation: later changes of the program's configuration have no effect.
  terms jsonb not null,
  -- When it could first be activated.
  offered_at timestamptz not null,
  enrolled_at timestamptz not null,
  qualified_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id),
  unique (partner_id, member_id, code)
);
call enable_tenant_isolation('member_bonuses');
grant select, insert, update on member_bonuses to dineback_app;
