-- The authorization code that the card's issuer gave for a purchase, where the network reports it: the same in every feed.
alter table transactions add column auth_code text;
-- Finds what a network has reported with two ids.
create index transactions_by_auth_code on transactions (member_id, auth_code) where auth_code is not null;

-- A card that moved to another program and came back. For the time in between both programs have a link of it, so that
-- both may be told of the same meals. Since the move was undone, they count in the program that has the card. No role of
-- the application can read the table; the functions below can. Kept for good: a message may be late by any time.
create table card_overlaps (
  -- The undone move.
  id uuid primary key,
  -- The program in which the card is linked again.
  from_partner text not null references partners,
  from_card bigint not null references cards,
  -- The program to which it had moved.
  to_partner text not null references partners,
  to_card bigint not null references cards
);
create index card_overlaps_from on card_overlaps (from_card);
create index card_overlaps_to on card_overlaps (to_card);

create function record_card_overlap() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into card_overlaps (id, from_partner, from_card, to_partner, to_card)
    values (new.id, new.from_partner, new.from_card, new.to_partner, new.to_card);
  return null;
end
$$;
create trigger record_card_overlap after update of undone_at on card_moves
  for each row when (old.undone_at is null and new.undone_at is not null and new.to_card is not null)
  execute function record_card_overlap();

-- Returns those of the caller's cards that are in an overlap.
create function find_overlapping_cards(card_ids bigint[]) returns setof bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select from_card from card_overlaps where from_partner = current_partner() and from_card = any(card_ids)
  union select to_card from card_overlaps where to_partner = current_partner() and to_card = any(card_ids)
$$;

-- Tells the other program, by a job, that meals of these cards may count here now. Locks the overlaps until the
-- transaction ends: of two programs that are told of a meal at once, the second one sees what the first one has stored.
create function announce_counted_meals(card_ids bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  o card_overlaps;
begin
  for o in select * from card_overlaps
    where (from_partner = current_partner() and from_card = any(card_ids))
      or (to_partner = current_partner() and to_card = any(card_ids))
    order by id
  loop
    perform pg_advisory_xact_lock(hashtextextended('card-overlap:' || o.id, 0));
    if o.from_partner = current_partner() then
      perform enqueue_job('card-moves', o.to_partner, 'overlap:' || o.id, now());
    end if;
  end loop;
end
$$;

-- Returns the network ids of the caller's transactions by these cards that count in another program, and of nothing else
-- there: the program that has the card again was told of the same meal, and has rewarded it, or did until it was
-- refunded. Meals are the same when restaurant and authorization code are, within a day; without a code in either feed,
-- when restaurant, minute and amount are. Of equal meals, as many count elsewhere as were reported there.
create function find_meals_counted_elsewhere(card_ids bigint[]) returns setof text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  caller text := current_partner();
  o card_overlaps;
  own jsonb;
  counted jsonb;
  since timestamptz;
  until timestamptz;
begin
  for o in select * from card_overlaps where to_partner = caller and to_card = any(card_ids) order by id loop
    select jsonb_agg(to_jsonb(t)), min(occurred_at) - interval '1 day', max(occurred_at) + interval '1 day'
      into own, since, until from (
        select network_id, merchant_id, occurred_at, date_trunc('minute', occurred_at) as minute, auth_code,
          ticket_cents, cleared_cents
        from transactions where card_id = o.to_card and member_id = (select member_id from cards where id = o.to_card)
          and type_code = 'S' and merchant_id is not null) t;
    perform set_config('dineback.partner', o.from_partner, true);
    select jsonb_agg(to_jsonb(t)) into counted from (
      select network_id, merchant_id, occurred_at, date_trunc('minute', occurred_at) as minute, auth_code,
        ticket_cents, cleared_cents
      from transactions where card_id = o.from_card and member_id = (select member_id from cards where id = o.from_card)
        and occurred_at between since and until and type_code = 'S' and stage <> 'authorized'
        and ((award_status in ('Awarded', 'Paid') and benefit > 0)
          or (refunded_cents > 0 and reason ->> 'code' in ('refunded', 'belowStep', 'belowMinimum'))
          or reason ->> 'code' = 'countedElsewhere')) t;
    perform set_config('dineback.partner', caller, true);
    return query
      with mine as (
        select * from jsonb_to_recordset(own) as m (network_id text, merchant_id bigint, occurred_at timestamptz,
          minute timestamptz, auth_code text, ticket_cents bigint, cleared_cents bigint)
      ), theirs as (
        select * from jsonb_to_recordset(counted) as t (network_id text, merchant_id bigint, occurred_at timestamptz,
          minute timestamptz, auth_code text, ticket_cents bigint, cleared_cents bigint)
      ), ranked as (
        select m.*, row_number() over (partition by m.merchant_id, m.minute, m.auth_code,
          greatest(m.ticket_cents, m.cleared_cents) order by m.network_id collate "C") as place
        from mine m
      )
      select r.network_id from ranked r
      where r.place <= (select count(*) from theirs t where t.merchant_id = r.merchant_id
        and case when t.auth_code is not null and r.auth_code is not null
          then t.auth_code = r.auth_code and t.occurred_at between r.occurred_at - interval '1 day' and r.occurred_at + interval '1 day'
          else t.minute = r.minute
            and (t.cleared_cents = r.cleared_cents or t.ticket_cents = r.ticket_cents)
        end);
  end loop;
end
$$;

-- Returns the caller's card of an overlap that a job names.
create function card_of_overlap(overlap uuid) returns bigint
  language sql stable security definer set search_path = public, pg_temp as $$
  select to_card from card_overlaps where id = overlap and to_partner = current_partner()
$$;

revoke execute on function record_card_overlap, find_overlapping_cards, announce_counted_meals,
  find_meals_counted_elsewhere, card_of_overlap from public;
grant execute on function find_overlapping_cards, announce_counted_meals, find_meals_counted_elsewhere, card_of_overlap
  to dineback_app;

-- Moves that were undone before: what both programs have rewarded is settled a little later, by a process that knows how.
insert into card_overlaps (id, from_partner, from_card, to_partner, to_card)
  select id, from_partner, from_card, to_partner, to_card from card_moves where undone_at is not null and to_card is not null;
select enqueue_job('card-moves', to_partner, 'overlap:' || id, now() + interval '10 minutes') from card_overlaps;
