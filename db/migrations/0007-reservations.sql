-- Combines ranges with plain equality in one exclusion constraint.
create extension if not exists btree_gist;

-- Our own reservation book: which party has which table at what time. Shared between programs, as the tables are; a
-- guest is only a keyed hash.
create table table_bookings (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants,
  table_id bigint not null references merchant_tables,
  -- Chosen by the caller: the same token again is the same booking.
  token text not null unique check (length(token) >= 16),
  guest_hash text not null,
  party_size smallint not null check (party_size between 1 and 30),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  state text not null check (state in ('held', 'booked')),
  held_until timestamptz,
  confirmation text unique,
  created_at timestamptz not null default now(),
  check ((state = 'held') = (held_until is not null)),
  check ((state = 'booked') = (confirmation is not null)),
  -- A table has one party at a time, even if the application is wrong.
  constraint one_party_per_table exclude using gist (table_id with =, tstzrange(starts_at, ends_at) with &&)
);
create index table_bookings_by_merchant on table_bookings (merchant_id, starts_at);
create index table_bookings_held on table_bookings (held_until) where state = 'held';
grant select, insert, update, delete on table_bookings to dineback_app;

-- Guests whose bookings the book no longer accepts.
create table blocked_guests (
  guest_hash text primary key,
  blocked_at timestamptz not null default now()
);
grant select, insert, delete on blocked_guests to dineback_app;

create table reservations (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique check (length(public_id) >= 16),
  member_id bigint not null,
  merchant_id bigint not null references merchants,
  provider text not null,
  -- The booking's token at the provider, chosen before the provider is called.
  token text not null unique,
  hold_token text,
  confirmation text,
  status text not null check (status in ('booking', 'booked', 'canceling', 'canceled', 'failed')),
  starts_at timestamptz not null,
  -- Reservations of a member at one restaurant are at least two hours apart: no other may start before this time.
  clear_until timestamptz not null,
  -- Local time of the restaurant.
  local_date date not null,
  local_time text not null check (local_time ~ '^\d\d:\d\d$'),
  party_size smallint not null check (party_size between 1 and 30),
  -- The bonus at the time of booking: {"amount", "type", "condition"}; null without a bonus.
  bonus jsonb,
  -- When the date was agreed on: set by the booking, and again when the reservation moves to another date. A transaction
  -- before this time does not earn the bonus.
  agreed_at timestamptz not null,
  -- During a change: the values to restore if it fails.
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
create index reservations_by_local_date on reservations (member_id, merchant_id, local_date) where status = 'booked';
create index reservations_unsettled on reservations (partner_id, updated_at) where status in ('booking', 'canceling');
call enable_tenant_isolation('reservations');
grant select, insert, update on reservations to dineback_app;
