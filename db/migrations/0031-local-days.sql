-- What concerns a meal follows the calendar and the clock of its restaurant.

-- VIP begins and ends with days. A job records the change of the tier once a day, at a moment that lies within another
-- day farther west or east: a transaction there earned at the tier of the wrong day. Where the dates of VIP cause the
-- change, the last day of the former tier is recorded, and compared with the local day of the transaction.
alter table member_tiers add column last_day date;

create or replace function record_member_tier() returns trigger language plpgsql as $$
begin
  insert into member_tiers (partner_id, member_id, tier_level, until, last_day)
    values (old.partner_id, old.id, old.tier_level, now(), case
      when new.tier_level = 'VIP' and new.vip_until is not null then new.vip_from - 1
      -- VIP that a refund ends before its last day ends at once.
      when old.tier_level = 'VIP' and old.vip_until <= now()::date then old.vip_until
    end);
  new.tier_since := now();
  return new;
end
$$;

-- The moment at which a restaurant left. A transaction of the same day, before it, earned nothing: with only the day, it
-- was "left before this meal". Of the days recorded so far the hour is unknown, so each of them counts whole.
alter table merchants add column left_at timestamptz;
update merchants set left_at = (left_on + 1)::timestamp at time zone time_zone
  where left_on is not null and not participating;

create or replace function record_leaving() returns trigger language plpgsql as $$
begin
  if new.participating then
    new.left_on := null;
    new.left_at := null;
  elsif new.left_on is null then
    new.left_on := (now() at time zone new.time_zone)::date;
    new.left_at := now();
  end if;
  return new;
end
$$;

-- Of a day on which a restaurant changes its network id, transactions with either id count: they may be from before the
-- change or after it. Days are those of the restaurant.
create or replace function record_network_id() returns trigger language plpgsql as $$
declare
  today date := (now() at time zone new.time_zone)::date;
begin
  if tg_op = 'UPDATE' then
    update merchant_network_ids set until = today + 1
      where network_id = old.network_location_id and merchant_id = old.id and until is null;
  end if;
  insert into merchant_network_ids (network_id, merchant_id, since)
    values (new.network_location_id, new.id, case tg_op when 'INSERT' then date '2000-01-01' else today end)
    on conflict (network_id, merchant_id, since) do update set until = null;
  return null;
end
$$;
