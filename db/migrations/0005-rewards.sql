-- Every message of a card network, once, as it came.
create table feed_messages (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  message_id text not null,
  event text not null,
  -- The purchase or refund this tells of, and the one it says it belongs to. Columns, because a condition
  -- inside the body could use no index behind the wall.
  network_id text not null,
  related_id text,
  body jsonb not null,
  outcome text not null check (outcome in ('applied', 'unmatched', 'ignored')),
  received_at timestamptz not null default now(),
  unique (partner_id, message_id)
);
create index feed_messages_by_network on feed_messages (partner_id, network_id);
create index feed_messages_by_related on feed_messages (partner_id, related_id) where related_id is not null;
call build_wall('feed_messages');
grant select, insert on feed_messages to dineback_app;

create table transactions (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  network_id text not null,
  member_id bigint,
  card_id bigint references cards,
  merchant_id bigint references merchants,
  merchant_name text not null,
  network_location_id text not null,
  -- The vault's token of the card; null for entries that no card made.
  card_token text,
  card_last_four text not null check (card_last_four ~ '^\d{4}$'),
  type_code text not null default 'S' check (type_code in ('M', 'J', '+', 'A', 'B', 'S')),
  stage text not null check (stage in ('authorized', 'cleared', 'refunded')),
  award_status text not null check (award_status in ('Awarded', 'Pending', 'Forfeit', 'Paid', 'Deferred')),
  -- What was authorised, what was finally charged, and what came back, in cents.
  ticket_cents bigint not null default 0,
  dine_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  -- The reward in the smallest unit of `unit`.
  benefit bigint not null default 0,
  unit text not null check (unit in ('mile', 'point', 'cent')),
  -- Why: {"code": ..., "rule": version, ...inputs}.
  reason jsonb not null,
  unmatched text check (unmatched in ('card', 'merchant')),
  dined_at timestamptz not null,
  cleared_at timestamptz,
  paid_at timestamptz,
  updated_at timestamptz not null default now(),
  unique (partner_id, network_id),
  foreign key (partner_id, member_id) references members (partner_id, id),
  check ((member_id is null) = (unmatched is not distinct from 'card'))
);
create index transactions_by_member on transactions (member_id, dined_at desc, id desc);
create index transactions_by_month on transactions (member_id, merchant_id, dined_at);
-- What waits for a card to be linked, or for a restaurant to join.
create index transactions_without_card on transactions (partner_id, card_token) where unmatched = 'card';
create index transactions_without_merchant on transactions (partner_id, network_location_id) where unmatched = 'merchant';
-- The feed finds a card by its token.
create index cards_by_token on cards (partner_id, token);
call build_wall('transactions');
grant select, insert, update on transactions to dineback_app;

-- Double entry. A journal is one fact about rewards; its postings sum to zero; nothing is ever changed.
create table journals (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  source text not null,
  source_id text not null,
  version int not null,
  kind text not null check (kind in ('award', 'correction', 'refund', 'statement-credit', 'adjustment')),
  reason jsonb not null,
  posted_at timestamptz not null default now(),
  unique (partner_id, source, source_id, version),
  unique (partner_id, id)
);
call build_wall('journals');
grant select, insert on journals to dineback_app;

create table postings (
  id bigint generated always as identity primary key,
  partner_id text not null,
  journal_id bigint not null,
  account text not null check (account in ('member', 'program', 'payout')),
  member_id bigint,
  unit text not null check (unit in ('mile', 'point', 'cent')),
  amount bigint not null check (amount <> 0),
  foreign key (partner_id, journal_id) references journals (partner_id, id),
  foreign key (partner_id, member_id) references members (partner_id, id),
  check ((account = 'member') = (member_id is not null))
);
create index postings_by_journal on postings (journal_id);
create index postings_by_member on postings (member_id, unit) where member_id is not null;
call build_wall('postings');
grant select, insert on postings to dineback_app;

create function check_journal_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from postings where journal_id = new.journal_id group by unit having sum(amount) <> 0
  ) then
    raise exception 'journal % does not balance', new.journal_id using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger journal_balances after insert on postings
  deferrable initially deferred for each row execute function check_journal_balances();

create table statement_credits (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  journal_id bigint not null references journals,
  amount_cents bigint not null check (amount_cents > 0),
  target_type text not null check (target_type in ('card', 'other')),
  target_label text not null,
  processor text not null,
  status text not null check (status in ('pending', 'pending_received', 'completed', 'rejected', 'error')),
  created_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index statement_credits_by_member on statement_credits (member_id, created_at desc);
call build_wall('statement_credits');
grant select, insert, update on statement_credits to dineback_app;
