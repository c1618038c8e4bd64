-- Assigns meals that two programs were told of one to one. Before, equal own meals were counted against the number of equal
-- meals elsewhere within each authorization code and amount: two coffees with two codes were both withdrawn for one that
-- the other program had reported without a code.

-- Returns the network ids of those of a program's own meals that are assigned to meals of the other program: each to one,
-- and as many as possible. Of equal ones, those that earn come first, then those with the same code or the same final
-- amount, then the smaller id. Reads no table.
create function assign_meals(own jsonb, counted jsonb) returns setof text
  language plpgsql immutable set search_path = public, pg_temp as $$
declare
  ids text[];
  -- For each own meal, the places of the meals that may be the same, the best first.
  near jsonb;
  -- The own meal that each of the other meals is assigned to, and the other way round.
  taken int[] := array_fill(null::int, array[coalesce(jsonb_array_length(counted), 0)]);
  pair int[];
  reached int[];
  queue int[];
  head int;
  free int;
  meal int;
  other int;
  next int;
begin
  with mine as (
    select * from jsonb_to_recordset(coalesce(own, '[]')) as m (network_id text, merchant_id bigint, occurred_at timestamptz,
      auth_code text, ticket_cents bigint, cleared_cents bigint, earns boolean)
  ), theirs as (
    select t.*, row_number() over (order by t.network_id collate "C") as place
    from jsonb_to_recordset(coalesce(counted, '[]')) as t (network_id text, merchant_id bigint, occurred_at timestamptz,
      auth_code text, ticket_cents bigint, cleared_cents bigint)
  ), pairs as (
    select m.network_id, t.place, case when m.auth_code = t.auth_code then 0
        when m.cleared_cents = t.cleared_cents then 1 else 2 end as distance
    from mine m join theirs t on t.merchant_id = m.merchant_id
      and case when t.auth_code is not null and m.auth_code is not null
        then t.auth_code = m.auth_code
          and t.occurred_at between m.occurred_at - interval '1 day' and m.occurred_at + interval '1 day'
        else date_trunc('minute', t.occurred_at) = date_trunc('minute', m.occurred_at)
          and (t.cleared_cents = m.cleared_cents or t.ticket_cents = m.ticket_cents)
      end
  ), candidates as (
    select m.network_id, m.earns, min(p.distance) as distance, jsonb_agg(p.place order by p.distance, p.place) as places
    from mine m join pairs p on p.network_id = m.network_id group by m.network_id, m.earns
  )
  select array_agg(network_id order by earns desc, distance, network_id collate "C"),
    jsonb_agg(places order by earns desc, distance, network_id collate "C") into ids, near from candidates;

  -- Each meal in turn looks for a free one, by whose way those before it may take others (augmenting paths).
  for root in 1 .. coalesce(cardinality(ids), 0) loop
    queue := array[root];
    head := 1;
    free := null;
    reached := array_fill(null::int, array[cardinality(taken)]);
    while head <= cardinality(queue) and free is null loop
      meal := queue[head];
      head := head + 1;
      for other in select value::int from jsonb_array_elements_text(near -> (meal - 1)) loop
        continue when reached[other] is not null;
        reached[other] := meal;
        if taken[other] is null then
          free := other;
          exit;
        end if;
        queue := queue || taken[other];
      end loop;
    end loop;
    while free is not null loop
      meal := reached[free];
      next := pair[meal];
      taken[free] := meal;
      pair[meal] := free;
      free := next;
    end loop;
  end loop;
  return query select ids[place] from generate_subscripts(ids, 1) as place where pair[place] is not null;
end
$$;

-- As before, but with one meal for one. A meal of this program that is only authorized, was refunded, or is one that the
-- network reported twice, earns nothing and comes last: it must not stand for one that earns.
create or replace function find_meals_counted_elsewhere(card_ids bigint[]) returns setof text
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
        select network_id, merchant_id, occurred_at, auth_code, ticket_cents, cleared_cents,
          stage <> 'authorized' and cleared_cents > refunded_cents
            and reason -> 'inputs' -> 'reportedTwice' is null as earns
        from transactions where card_id = o.to_card and member_id = (select member_id from cards where id = o.to_card)
          and type_code = 'S' and merchant_id is not null) t;
    perform set_config('dineback.partner', o.from_partner, true);
    select jsonb_agg(to_jsonb(t)) into counted from (
      select network_id, merchant_id, occurred_at, auth_code, ticket_cents, cleared_cents
      from transactions where card_id = o.from_card and member_id = (select member_id from cards where id = o.from_card)
        and occurred_at between since and until and type_code = 'S' and stage <> 'authorized'
        and ((award_status in ('Awarded', 'Paid') and benefit > 0)
          or (refunded_cents > 0 and reason ->> 'code' in ('refunded', 'belowStep', 'belowMinimum'))
          or reason ->> 'code' = 'countedElsewhere')) t;
    perform set_config('dineback.partner', caller, true);
    return query select assign_meals(own, counted);
  end loop;
end
$$;

revoke execute on function assign_meals from public;

-- What was withdrawn too much is settled again a little later, by a process that knows how.
select enqueue_job('card-moves', to_partner, 'overlap:' || id, now() + interval '10 minutes') from card_overlaps;
