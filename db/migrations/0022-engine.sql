-- Every id that the networks have known a restaurant by, and on which days.
create table merchant_network_ids (
  network_id text not null check (length(network_id) between 1 and 200),
  merchant_id bigint not null references merchants on delete cascade,
  since date not null,
  -- The first day on which it no longer holds.
  until date,
  primary key (network_id, merchant_id, since),
  check (until is null or until >= since)
);
grant select, insert, update on merchant_network_ids to dineback_app;
insert into merchant_network_ids (network_id, merchant_id, since)
  select network_location_id, id, '2000-01-01' from merchants;

-- A restaurant that changes how it takes cards gets another id: the old one ends on the day on which the new one begins.
create function keep_network_id() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update merchant_network_ids set until = current_date
      where network_id = old.network_location_id and merchant_id = old.id and until is null;
  end if;
  insert into merchant_network_ids (network_id, merchant_id, since)
    values (new.network_location_id, new.id, case tg_op when 'INSERT' then date '2000-01-01' else current_date end)
    on conflict (network_id, merchant_id, since) do update set until = null;
  return null;
end
$$;
create trigger merchants_keep_network_id after insert on merchants
  for each row execute function keep_network_id();
create trigger merchants_change_network_id after update of network_location_id on merchants
  for each row when (old.network_location_id is distinct from new.network_location_id)
  execute function keep_network_id();
-- Another place of a chain is told by its name.
create index merchants_by_lower_name on merchants (lower(name)) where participating;

alter table merchant_offers
  -- Between these times of the day on the restaurant's wall; null all day.
  add column from_time text check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  add column until_time text check (until_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  add column min_spend_cents bigint not null default 0 check (min_spend_cents >= 0),
  add column max_monthly_spend_cents bigint check (max_monthly_spend_cents > 0),
  add check ((from_time is null) = (until_time is null)),
  add check (type = 'Limited' or max_monthly_spend_cents is null);

-- A meal earns at the tier of its own day: what a member was before, and until when.
alter table members
  add column tier_since timestamptz,
  -- VIP begins on the day after it was reached, and ends with the year after.
  add column vip_from date,
  add column vip_until date;
create table member_tiers (
  id bigint generated always as identity primary key,
  partner_id text not null,
  member_id bigint not null,
  tier_level text not null,
  until timestamptz not null,
  foreign key (partner_id, member_id) references members (partner_id, id) on delete cascade
);
create index member_tiers_by_member on member_tiers (member_id, until);
call build_wall('member_tiers');
grant select, insert on member_tiers to dineback_app;
create index members_vip_begins on members (partner_id, vip_from) where vip_from is not null and tier_level <> 'VIP';
create index members_vip_ends on members (partner_id, vip_until) where tier_level = 'VIP';

create function keep_tier() returns trigger language plpgsql as $$
begin
  insert into member_tiers (partner_id, member_id, tier_level, until)
    values (old.partner_id, old.id, old.tier_level, now());
  new.tier_since := now();
  return new;
end
$$;
create trigger members_keep_tier before update of tier_level on members
  for each row when (old.tier_level is distinct from new.tier_level) execute function keep_tier();

-- A refund that names no purchase is looked for by its card.
alter table feed_messages add column card_token text, add column is_refund boolean not null default false;
-- The wall stops its owner too, unless that is a superuser.
alter table feed_messages no force row level security;
update feed_messages set
  card_token = body -> 'transaction' -> 'card' ->> 'id',
  is_refund = event like 'transaction.refund%' or (body -> 'transaction' ->> 'amount') like '-%';
alter table feed_messages force row level security;
create index feed_messages_lone_refunds on feed_messages (partner_id, card_token) where is_refund and related_id is null;

-- Files of events: how far each has been read, and what became of its lines.
create table feed_files (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  -- A file is its content, whatever it is called.
  content_hash text not null,
  name text not null,
  lines_read bigint not null default 0,
  applied bigint not null default 0,
  unmatched bigint not null default 0,
  repeated bigint not null default 0,
  ignored bigint not null default 0,
  refused bigint not null default 0,
  -- The first refused lines, with their codes: [{"line": 12, "code": "malformed"}].
  faults jsonb not null default '[]',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (partner_id, content_hash)
);
call build_wall('feed_files');
grant select, insert, update on feed_files to dineback_app;

-- One index answers by card, by card and place, and what waits for its card. A month is found by its member and days.
drop index transactions_without_card;
drop index transactions_by_month;
-- Only where an offer limits the month does a meal depend on the others of its month.
alter table transactions add column is_limited boolean not null default true;
create index transactions_limited on transactions (member_id, merchant_id, dined_at) where is_limited and member_id is not null;
create index transactions_by_card on transactions (partner_id, card_token, network_location_id) where card_token is not null;
-- What time will end: rewards held back or waiting for a review, a clearing, a card or a restaurant.
drop index transactions_awaiting_review;
create index transactions_waiting on transactions (partner_id, dined_at) where award_status in ('Pending', 'Deferred');

-- The money beside the rewards: what the restaurant pays, what the partner gets, what stays.
alter table postings
  drop constraint postings_account_check,
  add column merchant_id bigint references merchants,
  add constraint postings_account_check
    check (account in ('member', 'program', 'payout', 'restaurant', 'partner', 'house')),
  add check ((account = 'restaurant') = (merchant_id is not null));
create index postings_by_merchant on postings (merchant_id, journal_id) where merchant_id is not null;
create index journals_by_day on journals (partner_id, posted_at);
alter table journals
  drop constraint journals_kind_check,
  add constraint journals_kind_check
    check (kind in ('award', 'correction', 'refund', 'statement-credit', 'adjustment', 'returned-credit'));

-- All postings of a journal are written by one statement, so what a statement writes must balance by itself.
drop trigger journal_balances on postings;
drop function check_journal_balances;
create function check_journals_balance() returns trigger language plpgsql as $$
declare
  lopsided bigint;
begin
  select journal_id into lopsided from fresh group by journal_id, unit having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'journal % does not balance', lopsided using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create trigger journals_balance after insert on postings
  referencing new table as fresh for each statement execute function check_journals_balance();

-- Statement credits leave by way of a processor: how they are paid, and what became of them.
alter table statement_credits
  -- A card brand, the brand of a payout provider, or XXXX where nobody knows.
  add column brand text not null default 'XXXX',
  add column delivery text not null default 'Card' check (delivery in ('Card', 'Email')),
  add column attempts int not null default 0,
  add column next_attempt_at timestamptz not null default now(),
  -- The journal by which a credit that was refused came back to the balance.
  add column returned_by bigint references journals;
create index statement_credits_open on statement_credits (partner_id, next_attempt_at)
  where status in ('pending', 'pending_received');

-- The books of the processor that comes with Dineback: what it has taken in and paid, each order once.
create table payout_orders (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  credit_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  received_at timestamptz not null default now(),
  paid_at timestamptz,
  unique (partner_id, credit_id)
);
call build_wall('payout_orders');
grant select, insert, update on payout_orders to dineback_app;

-- Every message, meal and journal locked the one row of its partner, and all that come at once waited for each other
-- there. The wall fills the column from the connection, which is opened for known partners alone.
alter table feed_messages drop constraint feed_messages_partner_id_fkey;
alter table transactions drop constraint transactions_partner_id_fkey;
alter table journals drop constraint journals_partner_id_fkey;

-- The same is asked once a statement, and locks nothing; partners are never taken away.
create function check_partner_known() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct partner_id from fresh) f
    where not exists (select from partners p where p.id = f.partner_id)
  ) then
    raise exception 'unknown partner in %', tg_table_name using errcode = 'foreign_key_violation';
  end if;
  return null;
end
$$;
create trigger feed_messages_partner_known after insert on feed_messages
  referencing new table as fresh for each statement execute function check_partner_known();
create trigger transactions_partner_known after insert on transactions
  referencing new table as fresh for each statement execute function check_partner_known();
create trigger journals_partner_known after insert on journals
  referencing new table as fresh for each statement execute function check_partner_known();
