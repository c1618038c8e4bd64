create table cards (
  id bigint generated always as identity primary key,
  partner_id text not null,
  public_id text not null unique,
  member_id bigint not null,
  token text not null,
  -- Keyed hash of the card number, computed by the vault with a key that only the vault has.
  fingerprint text not null,
  -- From the vault: a key of the card that is the same in every program of the installation.
  home_key text,
  card_type text not null check (card_type in ('VISA', 'AMEX', 'MAST', 'DISC')),
  description text not null,
  last_four text not null check (last_four ~ '^\d{4}$'),
  expires text check (expires ~ '^\d{4}-\d{2}$'),
  partner_card_id text,
  -- The card has earned in another account: a bonus for new members does not apply.
  linked_before boolean not null default false,
  linked_at timestamptz not null default now(),
  removed_at timestamptz,
  foreign key (partner_id, member_id) references members (partner_id, id)
);
create unique index cards_linked_once on cards (partner_id, fingerprint) where removed_at is null;
create index cards_by_member on cards (member_id) where removed_at is null;
-- The feed finds a card by its token.
create index cards_by_token on cards (partner_id, token);
create index cards_by_expiry on cards (partner_id, expires) where removed_at is null and expires is not null;
-- Finds every account that has had the card.
create index cards_by_fingerprint on cards (partner_id, fingerprint);
call enable_tenant_isolation('cards');
grant select, insert, update on cards to dineback_app;

-- Cards that a partner has loaded for its members. Not linked until the member agrees. Only the vault has the number.
create table partner_cards (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  -- The owner: a member's public id, or the subject at the partner's identity provider. Never something that people
  -- type in, such as an email address or a number: someone who joined with another person's would be offered their
  -- cards.
  holder text not null,
  -- The partner's own id of the card.
  partner_card_id text not null,
  token text not null,
  fingerprint text not null,
  home_key text not null,
  card_type text not null check (card_type in ('VISA', 'AMEX', 'MAST', 'DISC')),
  description text not null check (length(description) between 1 and 60),
  last_four text not null check (last_four ~ '^\d{4}$'),
  expires text not null check (expires ~ '^\d{4}-\d{2}$'),
  loaded_at timestamptz not null default now(),
  unique (partner_id, partner_card_id)
);
create index partner_cards_by_holder on partner_cards (partner_id, holder);
call enable_tenant_isolation('partner_cards');
grant select, insert, update, delete on partner_cards to dineback_app;

-- A card earns in one program of an installation at a time. This table records which one, across all partners. No role
-- of the application can read it; the functions below can.
create table card_homes (
  home_key text primary key,
  partner_id text not null references partners,
  card_id bigint not null unique references cards
);

create function sync_card_home() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.home_key is null or new.removed_at is not null then
    delete from card_homes where card_id = new.id;
  elsif tg_op = 'INSERT' or old.removed_at is not null or old.home_key is distinct from new.home_key then
    insert into card_homes (home_key, partner_id, card_id) values (new.home_key, new.partner_id, new.id);
  end if;
  return null;
end
$$;
create trigger sync_card_home after insert or update of removed_at, home_key on cards
  for each row execute function sync_card_home();

-- A member of one program requests a card that earns in another one. Its owner there decides, by an email; without a
-- response the card stays. The row exists only when the expiry date was right.
create table card_move_requests (
  id uuid primary key default gen_random_uuid(),
  home_key text not null,
  from_partner text not null references partners,
  from_card bigint not null references cards,
  from_member bigint not null,
  to_partner text not null references partners,
  to_member bigint not null,
  -- The card to link once the owner agrees.
  card jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  -- The code of the email to the owner.
  code_hash bytea unique check (length(code_hash) = 32),
  notified_at timestamptz,
  responded_at timestamptz,
  allowed boolean,
  done_at timestamptz
);
create index card_move_requests_by_key on card_move_requests (home_key);
create index card_move_requests_from on card_move_requests (from_partner, from_member);
create index card_move_requests_to on card_move_requests (to_partner, to_member);
create index card_move_requests_unsent on card_move_requests (from_partner) where notified_at is null;
create index card_move_requests_allowed on card_move_requests (to_partner) where allowed and done_at is null;
alter table card_move_requests enable row level security;
call allow_backup_reads('card_move_requests');
create policy seen_by_both on card_move_requests for select to dineback_app
  using (current_partner() in (from_partner, to_partner));
create policy deleted_by_both on card_move_requests for delete to dineback_app
  using (current_partner() in (from_partner, to_partner));
-- Only the program that has the card writes the code and the response of its owner.
create policy updated_by_owner on card_move_requests for update to dineback_app
  using (current_partner() = from_partner) with check (current_partner() = from_partner);
grant select, delete on card_move_requests to dineback_app;
grant update (code_hash, notified_at, responded_at, allowed) on card_move_requests to dineback_app;

-- A card that moved from one program to another with the owner's consent. Both sides can undo the move for one day.
create table card_moves (
  id uuid primary key default gen_random_uuid(),
  home_key text not null,
  from_partner text not null references partners,
  from_card bigint not null references cards,
  from_member bigint not null,
  -- It was the last linked card of its owner.
  from_closed boolean not null,
  to_partner text not null references partners,
  to_card bigint references cards,
  to_member bigint,
  moved_at timestamptz not null default now(),
  undone_at timestamptz,
  -- When the program of the former owner has notified its member and completed what follows.
  notified_at timestamptz,
  undo_notified_at timestamptz
);
create index card_moves_from on card_moves (from_partner, from_member);
create index card_moves_to on card_moves (to_partner, to_member);
create index card_moves_unnotified on card_moves (from_partner)
  where notified_at is null or (undone_at is not null and undo_notified_at is null);
alter table card_moves enable row level security;
call allow_backup_reads('card_moves');
create policy either_side on card_moves for all to dineback_app
  using (current_partner() in (from_partner, to_partner))
  with check (current_partner() in (from_partner, to_partner));
grant select, delete on card_moves to dineback_app;
grant update (notified_at, undo_notified_at, to_card, to_member) on card_moves to dineback_app;

-- Returns the program in which a card earns now. Locks the card's key until the transaction ends.
create function card_home(key text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || key, 0));
  return (select partner_id from card_homes where home_key = key);
end
$$;

-- Returns where a card earns in another program than the caller's: the linked card, and its holder's id at the vault.
create function find_card_in_other_program(key text) returns table (partner text, card bigint, holder text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  caller text := current_partner();
  home card_homes;
begin
  select * into home from card_homes where home_key = key and partner_id <> caller;
  if home.partner_id is null then
    return;
  end if;
  perform set_config('dineback.partner', home.partner_id, true);
  return query select home.partner_id, home.card_id, m.public_id::text
    from cards c join members m on m.id = c.member_id where c.id = home.card_id;
  perform set_config('dineback.partner', caller, true);
end
$$;

-- Returns whether a card cannot move for now: its owner has rejected or undone a move within 30 days.
create function is_card_move_blocked(key text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from card_moves where home_key = key and undone_at > now() - interval '30 days')
    or exists (select from card_move_requests
      where home_key = key and not allowed and responded_at > now() - interval '30 days')
$$;

-- Stores the request of a member of the caller's program for a card. Returns false, and stores nothing, when this member
-- has an open request, when the card has moved meanwhile, or when its owner received three requests within a week.
create function request_card_move(key text, expected bigint, member bigint, card_data jsonb) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  caller text := current_partner();
  home card_homes;
begin
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || key, 0));
  select * into home from card_homes where home_key = key;
  if home.card_id is distinct from expected or home.partner_id = caller or is_card_move_blocked(key) then
    return false;
  end if;
  if exists (select from card_move_requests where home_key = key and to_partner = caller and to_member = member
      and responded_at is null and expires_at > now())
    or (select count(*) from card_move_requests where home_key = key and created_at > now() - interval '7 days') >= 3 then
    return false;
  end if;
  perform set_config('dineback.partner', home.partner_id, true);
  insert into card_move_requests (home_key, from_partner, from_card, from_member, to_partner, to_member, card)
    select key, home.partner_id, id, member_id, caller, member, card_data from cards where id = home.card_id;
  perform set_config('dineback.partner', caller, true);
  return true;
end
$$;

-- Takes one request that its owner has allowed, for the program that requested the card. Null when there is none.
create function take_allowed_move() returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken uuid;
begin
  select id into taken from card_move_requests
    where to_partner = current_partner() and allowed and done_at is null
    order by responded_at limit 1 for update skip locked;
  update card_move_requests set done_at = now() where id = taken;
  return taken;
end
$$;

-- Removes a linked card from its member, whose account stays open. Returns whether it was the last one. The caller has
-- set the partner of that member.
create function unlink_card(card bigint) returns boolean
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

-- Unlinks a card in the other program: only on a request that its owner has allowed, and that the caller has taken in
-- this transaction. Returns the move, or null when the card is no longer the requested one.
create function release_card(request uuid) returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  caller text := current_partner();
  r card_move_requests;
  last boolean;
  move uuid;
begin
  select * into r from card_move_requests
    where id = request and to_partner = caller and allowed and done_at = now();
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
    values (r.home_key, r.from_partner, r.from_card, r.from_member, last, caller)
    returning id into move;
  perform set_config('dineback.partner', caller, true);
  return move;
end
$$;

-- Undoes a move. Returns 'undone', 'expired' (more than a day ago, or undone already), 'gone' (the card has moved on, or
-- its former owner has left), or 'full' (the former owner has `max_cards` other cards meanwhile).
create function undo_card_move(move uuid, max_cards int) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  caller text := current_partner();
  m card_moves;
  result text;
begin
  select * into m from card_moves where id = move and caller in (from_partner, to_partner) for update;
  if m.id is null or m.undone_at is not null or m.moved_at < now() - interval '1 day' then
    return 'expired';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || m.home_key, 0));
  perform set_config('dineback.partner', m.from_partner, true);
  perform from members where id = m.from_member for update;
  if not exists (select from members where id = m.from_member and deleted_at is null) then
    result := 'gone';
  elsif (select count(*) from cards where member_id = m.from_member and removed_at is null) >= max_cards then
    result := 'full';
  end if;
  if result is null then
    perform set_config('dineback.partner', m.to_partner, true);
    if exists (select from card_homes where home_key = m.home_key and card_id is distinct from m.to_card) then
      result := 'gone';
    elsif exists (select from cards where id = m.to_card and removed_at is null) then
      perform unlink_card(m.to_card);
    end if;
  end if;
  if result is null then
    perform set_config('dineback.partner', m.from_partner, true);
    update cards set removed_at = null where id = m.from_card;
    update members set member_type = 'EnrolledCardMember', active = true where id = m.from_member;
    update card_moves set undone_at = now() where id = move;
    result := 'undone';
  end if;
  perform set_config('dineback.partner', caller, true);
  return result;
end
$$;

revoke execute on function sync_card_home, card_home, find_card_in_other_program, is_card_move_blocked,
  request_card_move, take_allowed_move, unlink_card, release_card, undo_card_move from public;
grant execute on function card_home, find_card_in_other_program, is_card_move_blocked, request_card_move,
  take_allowed_move, release_card, undo_card_move to dineback_app;
