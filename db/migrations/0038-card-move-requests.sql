-- Until when a card is good, as each holder has typed it: what one holder types never changes what another one stored.
-- The empty holder stands for the partner that loaded the card, and for cards from before this table.
create table vault.card_holders (
  token text not null references vault.cards on delete cascade,
  holder text not null,
  expires text not null check (expires ~ '^\d{4}-\d{2}$'),
  primary key (token, holder)
);
insert into vault.card_holders (token, holder, expires) select token, '', expires from vault.cards;
grant select, insert, update, delete on vault.card_holders to dineback_vault;

-- A member of one program asks for a card that earns in another one. Its owner there decides, by an email; without an
-- answer the card stays. The row exists only when the expiry date was right.
create table card_move_requests (
  id uuid primary key default gen_random_uuid(),
  home_key text not null,
  from_partner text not null references partners,
  from_card bigint not null references cards,
  from_member bigint not null,
  to_partner text not null references partners,
  to_member bigint not null,
  -- What is linked once the owner agrees.
  card jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  -- The code of the email to the owner.
  code_hash bytea unique check (length(code_hash) = 32),
  notified_at timestamptz,
  answered_at timestamptz,
  allowed boolean,
  done_at timestamptz
);
create index card_move_requests_by_key on card_move_requests (home_key);
create index card_move_requests_from on card_move_requests (from_partner, from_member);
create index card_move_requests_to on card_move_requests (to_partner, to_member);
create index card_move_requests_unsent on card_move_requests (from_partner) where notified_at is null;
create index card_move_requests_allowed on card_move_requests (to_partner) where allowed and done_at is null;
alter table card_move_requests enable row level security;
create policy seen_by_both on card_move_requests for select to dineback_app
  using (current_partner() in (from_partner, to_partner));
create policy deleted_by_both on card_move_requests for delete to dineback_app
  using (current_partner() in (from_partner, to_partner));
-- Only the program that has the card writes the code and the answer of its owner.
create policy answered_by_owner on card_move_requests for update to dineback_app
  using (current_partner() = from_partner) with check (current_partner() = from_partner);
grant select, delete on card_move_requests to dineback_app;
grant update (code_hash, notified_at, answered_at, allowed) on card_move_requests to dineback_app;

-- Where a card earns in another program than the caller's: the linked card, and its holder's name at the vault.
create function card_elsewhere(key text) returns table (partner text, card bigint, holder text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here text := current_partner();
  home card_homes;
begin
  select * into home from card_homes where home_key = key and partner_id <> here;
  if home.partner_id is null then
    return;
  end if;
  perform set_config('dineback.partner', home.partner_id, true);
  return query select home.partner_id, home.card_id, m.public_id::text
    from cards c join members m on m.id = c.member_id where c.id = home.card_id;
  perform set_config('dineback.partner', here, true);
end
$$;

-- Whether a card stays where it is for now: its owner has refused a move, or brought it back, within 30 days.
create function card_rests(key text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from card_moves where home_key = key and undone_at > now() - interval '30 days')
    or exists (select from card_move_requests
      where home_key = key and not allowed and answered_at > now() - interval '30 days')
$$;

-- Notes that a member of the caller's program asks for a card. Nothing when this member asks already, when the card is
-- not where it was, or when its owner was asked three times within a week. Answers whether it was noted.
create function request_card_move(key text, expected bigint, member bigint, what jsonb) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here text := current_partner();
  home card_homes;
begin
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || key, 0));
  select * into home from card_homes where home_key = key;
  if home.card_id is distinct from expected or home.partner_id = here or card_rests(key) then
    return false;
  end if;
  if exists (select from card_move_requests where home_key = key and to_partner = here and to_member = member
      and answered_at is null and expires_at > now())
    or (select count(*) from card_move_requests where home_key = key and created_at > now() - interval '7 days') >= 3 then
    return false;
  end if;
  perform set_config('dineback.partner', home.partner_id, true);
  insert into card_move_requests (home_key, from_partner, from_card, from_member, to_partner, to_member, card)
    select key, home.partner_id, id, member_id, here, member, what from cards where id = home.card_id;
  perform set_config('dineback.partner', here, true);
  return true;
end
$$;

-- Takes one request in hand that its owner has agreed to, for the program that asked.
create function take_allowed_move() returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken uuid;
begin
  select id into taken from card_move_requests
    where to_partner = current_partner() and allowed and done_at is null
    order by answered_at limit 1 for update skip locked;
  update card_move_requests set done_at = now() where id = taken;
  return taken;
end
$$;

-- An account that loses a card to another program stays open, without a card.
create or replace function unlink_card(card bigint) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  holder bigint;
  last boolean;
begin
  select member_id into holder from cards where id = card;
  perform from members where id = holder for update;
  update cards set removed_at = now() where id = card and removed_at is null;
  last := not exists (select from cards where member_id = holder and removed_at is null);
  if last then
    update members set member_type = 'NonCardMember' where id = holder and member_type = 'EnrolledCardMember';
  end if;
  return last;
end
$$;

-- Takes a card out of the other program: only on a request that its owner has agreed to, which the caller has taken in
-- hand in this transaction. Null when the card is no longer the one that was asked for.
drop function release_card(text);
create function release_card(request uuid) returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here text := current_partner();
  r card_move_requests;
  last boolean;
  move uuid;
begin
  select * into r from card_move_requests
    where id = request and to_partner = here and allowed and done_at = now();
  if r.id is null then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || r.home_key, 0));
  if not exists (select from card_homes where home_key = r.home_key and card_id = r.from_card) then
    return null;
  end if;
  perform set_config('dineback.partner', r.from_partner, true);
  last := unlink_card(r.from_card);
  insert into card_moves (home_key, from_partner, from_card, from_member, from_closed, to_partner)
    values (r.home_key, r.from_partner, r.from_card, r.from_member, last, here)
    returning id into move;
  perform set_config('dineback.partner', here, true);
  return move;
end
$$;

revoke execute on function card_elsewhere, card_rests, request_card_move, take_allowed_move, unlink_card, release_card
  from public;
grant execute on function card_elsewhere, card_rests, request_card_move, take_allowed_move, release_card
  to dineback_app;
