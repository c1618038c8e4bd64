-- Merchants belong to the network, not to one partner: no wall.
create table merchants (
  id bigint generated always as identity primary key,
  public_id text not null unique check (public_id ~ '^[a-z0-9][a-z0-9-]{2,80}$'),
  source text not null,
  source_id text not null,
  network_location_id text not null unique,
  name text not null check (length(name) between 1 and 120),
  description text not null default '',
  cuisines text[] not null default '{}',
  features text[] not null default '{}' check (features <@ array['delivery', 'dineIn', 'takeout', 'onlineOrdering']),
  meals text[] not null default '{}' check (meals <@ array['breakfast', 'brunch', 'lunch', 'dinner', 'lateNight']),
  price_range smallint not null default 0 check (price_range between 0 and 4),
  rating_sum int not null default 0 check (rating_sum >= 0),
  rating_count int not null default 0 check (rating_count >= 0),
  highlight text check (highlight in ('comingSoon', 'leavingSoon', 'new', 'acclaimed')),
  acclaimed_level smallint not null default 0 check (acclaimed_level between 0 and 2),
  campaign_codes text[] not null default '{}',
  address1 text not null default '',
  city text not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  zip_code text not null default '',
  neighborhood text not null default '',
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  time_zone text not null,
  phone text not null default '',
  website text not null default '',
  menu_url text not null default '',
  -- Opening hours: {"0": [["11:00","22:00"]], ...}, 0 is Sunday; null when unknown.
  hours jsonb,
  menus jsonb not null default '[]',
  events jsonb not null default '[]',
  ordering jsonb not null default '[]',
  reservation_provider text check (reservation_provider in ('book')),
  participating boolean not null default true,
  joined_on date not null default current_date,
  left_on date,
  -- What an import last said, so that saying it again changes nothing.
  content_hash text,
  version bigint not null,
  updated_at timestamptz not null default now(),
  unique (source, source_id)
);
create index merchants_by_version on merchants (version);

create table merchant_offers (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  type text not null check (type in ('Unlimited', 'Limited')),
  -- Weekdays on which a meal earns, 0 is Sunday.
  days smallint[] not null default '{0,1,2,3,4,5,6}' check (days <@ array[0,1,2,3,4,5,6]::smallint[]),
  starts_on date not null,
  ends_on date,
  max_spend_cents bigint check (max_spend_cents > 0),
  max_visits_per_month int check (max_visits_per_month > 0),
  -- Hundredths by which the partner's rate is multiplied: 100 leaves it alone.
  rate_percent int not null default 100 check (rate_percent between 0 and 1000),
  check (type = 'Limited' or (max_spend_cents is null and max_visits_per_month is null))
);
create index merchant_offers_by_merchant on merchant_offers (merchant_id);

create table merchant_tables (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  name text not null,
  seats smallint not null check (seats between 1 and 30),
  unique (merchant_id, name)
);

create table merchant_reviews (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  rating smallint not null check (rating between 1 and 5),
  author text not null,
  body text not null,
  visited_on date not null
);
create index merchant_reviews_by_merchant on merchant_reviews (merchant_id, visited_on desc);

-- One counter row, raised in the writing transaction: a reader that has seen version n has missed nothing below it.
create table merchants_version (
  one boolean primary key default true check (one),
  version bigint not null
);
insert into merchants_version (version) values (0);

-- Raised once a statement, not once a row: a thousand versions of one row within a transaction are slow to pass by.
create function raise_merchants_version() returns trigger language plpgsql as $$
declare
  raised bigint;
begin
  update merchants_version set version = version + 1 returning version into raised;
  perform set_config('dineback.merchants_version', raised::text, true);
  return null;
end
$$;
create trigger a_raise_version before insert or update or delete on merchants
  for each statement execute function raise_merchants_version();

create function stamp_merchant() returns trigger language plpgsql as $$
begin
  new.version := current_setting('dineback.merchants_version')::bigint;
  new.updated_at := now();
  return new;
end
$$;
create trigger b_stamp_version before insert or update on merchants
  for each row execute function stamp_merchant();

-- A changed offer is a changed merchant.
create function touch_merchants_of_offers() returns trigger language plpgsql as $$
begin
  update merchants set version = 0 where id in (select merchant_id from changed);
  return null;
end
$$;
create trigger touch_inserted after insert on merchant_offers
  referencing new table as changed for each statement execute function touch_merchants_of_offers();
create trigger touch_updated after update on merchant_offers
  referencing new table as changed for each statement execute function touch_merchants_of_offers();
create trigger touch_deleted after delete on merchant_offers
  referencing old table as changed for each statement execute function touch_merchants_of_offers();

create function announce_merchants() returns trigger language plpgsql as $$
begin
  perform pg_notify('merchants_changed', '');
  return null;
end
$$;
create trigger announce after insert or update or delete on merchants
  for each statement execute function announce_merchants();

grant select, insert, update, delete on merchants, merchant_offers, merchant_tables, merchant_reviews to dineback_app;
grant select, update on merchants_version to dineback_app;
