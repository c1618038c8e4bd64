-- Ranges beside plain equality in one exclusion constraint.
create extension if not exists btree_gist;

-- A table that an import no longer names stays, as somebody may have booked it; nobody is seated there any more.
alter table merchant_tables add column in_use boolean not null default true;

alter table merchants drop constraint merchants_reservation_provider_check;
alter table merchants add check (reservation_provider in ('book', 'http'));
-- What a booking provider of its own knows the restaurant by.
alter table merchants add column reservation_ref text;

-- The book: who sits where and when. Shared between programs, as the tables are; a guest is only a keyed hash.
create table seatings (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  table_id bigint not null references merchant_tables,
  -- The caller's own name for it: the same again is the same seating.
  token text not null unique check (length(token) >= 16),
  guest text not null,
  party_size smallint not null check (party_size between 1 and 30),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  state text not null check (state in ('held', 'booked')),
  held_until timestamptz,
  confirmation text unique,
  created_at timestamptz not null default now(),
  check ((state = 'held') = (held_until is not null)),
  check ((state = 'booked') = (confirmation is not null)),
  -- A table has one party at a time, whatever the code above it believes.
  constraint one_party_a_table exclude using gist (table_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index seatings_by_merchant on seatings (merchant_id, starts_at);
create index seatings_held on seatings (held_until) where state = 'held';
grant select, insert, update, delete on seatings to dineback_app;

-- Guests that the book no longer takes.
create table barred_guests (
  guest text primary key,
  barred_at timestamptz not null default now()
);
grant select, insert, delete on barred_guests to dineback_app;

create table reservations (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique check (length(public_id) >= 16),
  member_id bigint not null,
  merchant_id bigint not null references merchants,
  provider text not null,
  -- The provider's name for the seating, chosen by us before it was asked.
  token text not null unique,
  hold_token text,
  confirmation text,
  status text not null check (status in ('booking', 'booked', 'cancelling', 'cancelled', 'failed')),
  starts_at timestamptz not null,
  -- Two reservations of a member at one restaurant are two hours apart: this one keeps others away until then.
  clear_until timestamptz not null,
  -- As the clock of the restaurant shows it.
  local_date date not null,
  local_time text not null check (local_time ~ '^\d\d:\d\d$'),
  party_size smallint not null check (party_size between 1 and 30),
  -- What was promised when it was booked: {"amount", "type", "condition"}; null without a bonus.
  bonus jsonb,
  -- While a change is under way: what holds again when it fails.
  previous jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (partner_id, member_id) references members (partner_id, id),
  check (clear_until = starts_at + interval '2 hours'),
  constraint two_hours_apart exclude using gist
    (member_id with =, merchant_id with =, tstzrange(starts_at, clear_until) with &&)
    where (status in ('booking', 'booked'))
);
create index reservations_by_member on reservations (member_id, starts_at desc);
create index reservations_by_evening on reservations (member_id, merchant_id, local_date) where status = 'booked';
create index reservations_unsettled on reservations (partner_id, updated_at) where status in ('booking', 'cancelling');
call build_wall('reservations');
grant select, insert, update on reservations to dineback_app;

-- Mails to members. Written in the transaction of what they tell of, sent afterwards.
create table mails (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  member_id bigint not null,
  topic text not null,
  -- The fact that it tells of: told once.
  about text not null,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- {"name", "type", "content"} each.
  attachments jsonb not null default '[]',
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'kept', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  unique (partner_id, topic, about),
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create index mails_waiting on mails (partner_id, next_attempt_at) where status = 'waiting';
create index mails_newest on mails (partner_id, id desc);
call build_wall('mails');
grant select, insert, update on mails to dineback_app;
