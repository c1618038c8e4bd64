-- Merchants belong to the network, not to one partner: no tenant isolation.
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
  imported_rating_sum int not null default 0 check (imported_rating_sum >= 0),
  imported_rating_count int not null default 0 check (imported_rating_count >= 0),
  -- Ratings in members' reviews, which an import does not change.
  member_rating_sum int not null default 0 check (member_rating_sum >= 0),
  member_rating_count int not null default 0 check (member_rating_count >= 0),
  rating_sum int not null generated always as (imported_rating_sum + member_rating_sum) stored,
  rating_count int not null generated always as (imported_rating_count + member_rating_count) stored,
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
  reservation_provider text check (reservation_provider in ('book', 'http')),
  -- The restaurant's id at an external booking provider.
  reservation_ref text,
  participating boolean not null default true,
  joined_on date not null default current_date,
  left_on date,
  -- Hash of the last imported row, so that importing the same row again changes nothing.
  content_hash text,
  version bigint not null,
  updated_at timestamptz not null default now(),
  unique (source, source_id)
);
create index merchants_by_version on merchants (version);
-- Other locations of a chain are found by their name.
create index merchants_by_lower_name on merchants (lower(name)) where participating;

create table merchant_offers (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  type text not null check (type in ('Unlimited', 'Limited')),
  -- Weekdays on which a transaction earns, 0 is Sunday.
  days smallint[] not null default '{0,1,2,3,4,5,6}' check (days <@ array[0,1,2,3,4,5,6]::smallint[]),
  starts_on date not null,
  ends_on date,
  -- Local time of day at the restaurant between which a transaction earns; null: all day.
  from_time text check (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  until_time text check (until_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  min_spend_cents bigint not null default 0 check (min_spend_cents >= 0),
  max_spend_cents bigint check (max_spend_cents > 0),
  max_monthly_spend_cents bigint check (max_monthly_spend_cents > 0),
  max_visits_per_month int check (max_visits_per_month > 0),
  -- Percentage by which the partner's rate is multiplied: 100 leaves it unchanged.
  rate_percent int not null default 100 check (rate_percent between 0 and 1000),
  check (type = 'Limited' or (max_spend_cents is null and max_visits_per_month is null)),
  check ((from_time is null) = (until_time is null)),
  check (type = 'Limited' or max_monthly_spend_cents is null)
);
create index merchant_offers_by_merchant on merchant_offers (merchant_id);

create table merchant_tables (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  name text not null,
  seats smallint not null check (seats between 1 and 30),
  -- False once an import no longer lists the table: existing bookings stay, new ones are not accepted.
  in_use boolean not null default true,
  unique (merchant_id, name)
);

create table merchant_reviews (
  id bigint generated always as identity primary key,
  merchant_id bigint not null references merchants on delete cascade,
  rating smallint not null check (rating between 1 and 5),
  author text not null,
  body text not null,
  visited_on date not null,
  -- An import replaces the reviews that it imported before. The others are members' reviews.
  imported boolean not null
);
create index merchant_reviews_by_merchant on merchant_reviews (merchant_id, visited_on desc);

-- Every network id of a merchant, with the days on which it is valid.
create table merchant_network_ids (
  network_id text not null check (length(network_id) between 1 and 200),
  merchant_id bigint not null references merchants on delete cascade,
  since date not null,
  -- The first day on which it is no longer valid.
  until date,
  primary key (network_id, merchant_id, since),
  check (until is null or until >= since)
);

grant select, insert, update, delete on merchants, merchant_offers, merchant_tables, merchant_reviews to dineback_app;
grant select, insert, update on merchant_network_ids to dineback_app;

-- A counter in a single row, incremented in the writing transaction: a reader that has seen version n has missed no
-- change below it.
create table merchants_version (
  one boolean primary key default true check (one),
  version bigint not null
);
insert into merchants_version (version) values (0);
grant select, update on merchants_version to dineback_app;

-- Increments once per statement, not per row: a thousand versions of one row within a transaction are slow to skip.
create function raise_merchants_version() returns trigger language plpgsql as $$
declare
  raised bigint;
begin
  update merchants_version set version = version + 1 returning version into raised;
  perform set_config('dineback.merchants_version', raised::text, true);
  return null;
end
$$;
-- Triggers of the same kind fire in the order of their names.
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

-- A changed offer gives its merchant a new version.
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

create function notify_merchants_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('merchants_changed', '');
  return null;
end
$$;
create trigger notify_changed after insert or update or delete on merchants
  for each statement execute function notify_merchants_changed();

-- Records the network ids of a merchant. When the id changes, the old one ends on the day on which the new one starts.
create function record_network_id() returns trigger language plpgsql as $$
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
create trigger merchants_record_network_id after insert on merchants
  for each row execute function record_network_id();
create trigger merchants_change_network_id after update of network_location_id on merchants
  for each row when (old.network_location_id is distinct from new.network_location_id)
  execute function record_network_id();
