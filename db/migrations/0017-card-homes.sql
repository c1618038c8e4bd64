-- What the vault knows of a card besides its number: until when it is good, and a key that is the same for every
-- program of the installation. Cards linked before this have neither until they are linked again.
alter table vault.cards add column home_key text;
alter table vault.intents add column device_session text;
alter table cards
  add column expires text check (expires ~ '^\d{4}-\d{2}$'),
  add column home_key text;

-- A card earns in one program of an installation at a time. Which one is known here, beyond every wall; nobody reads it
-- but the functions below.
create table card_homes (
  home_key text primary key,
  partner_id text not null references partners,
  card_id bigint not null unique references cards
);

create function keep_card_home() returns trigger
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
create trigger card_home after insert or update of removed_at, home_key on cards
  for each row execute function keep_card_home();

-- A card that went from one program to another, with the member's consent; both can take it back for a day.
create table card_moves (
  id uuid primary key default gen_random_uuid(),
  home_key text not null,
  from_partner text not null references partners,
  from_card bigint not null references cards,
  from_member bigint not null,
  -- It was the last one: the account there was closed.
  from_closed boolean not null,
  to_partner text not null references partners,
  to_card bigint references cards,
  to_member bigint,
  moved_at timestamptz not null default now(),
  undone_at timestamptz,
  -- When the program that it left, or came back to, has told its member and done what follows.
  told_at timestamptz,
  told_undone_at timestamptz
);
create index card_moves_from on card_moves (from_partner, from_member);
create index card_moves_to on card_moves (to_partner, to_member);
create index card_moves_untold on card_moves (from_partner)
  where told_at is null or (undone_at is not null and told_undone_at is null);
alter table card_moves enable row level security;
create policy either_side on card_moves for all to dineback_app
  using (current_partner() in (from_partner, to_partner))
  with check (current_partner() in (from_partner, to_partner));
grant select, delete on card_moves to dineback_app;
grant update (told_at, told_undone_at, to_card, to_member) on card_moves to dineback_app;

-- The program in which a card earns now; whoever asks holds its name until the transaction ends.
create function card_home(key text) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || key, 0));
  return (select partner_id from card_homes where home_key = key);
end
$$;

-- Takes a linked card from its member, who is closed when it was the last; the caller stands at that partner's wall.
create function unlink_card(card bigint) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  holder bigint;
  closed boolean;
begin
  select member_id into holder from cards where id = card;
  perform from members where id = holder for update;
  update cards set removed_at = now() where id = card and removed_at is null;
  closed := not exists (select from cards where member_id = holder and removed_at is null);
  if closed then
    update members set member_type = 'ClosedAccountMember', active = false where id = holder;
  end if;
  return closed;
end
$$;

-- Takes a card out of the program where it is linked, for the one that asks. Null when it is linked nowhere else.
create function release_card(key text) returns uuid
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here text := current_partner();
  home card_homes;
  closed boolean;
  move uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || key, 0));
  select * into home from card_homes where home_key = key;
  if home.partner_id is null or home.partner_id = here then
    return null;
  end if;
  perform set_config('dineback.partner', home.partner_id, true);
  closed := unlink_card(home.card_id);
  insert into card_moves (home_key, from_partner, from_card, from_member, from_closed, to_partner)
    select key, home.partner_id, id, member_id, closed, here from cards where id = home.card_id
    returning id into move;
  perform set_config('dineback.partner', here, true);
  return move;
end
$$;

-- Brings a moved card back. Answers what became of it: 'undone', 'expired' (a day is over, or it was undone already),
-- 'gone' (it has moved on, or its member has left), 'full' (the member has linked as many others meanwhile).
create function undo_card_move(move uuid, most_there int) returns text
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  here text := current_partner();
  m card_moves;
  answer text;
begin
  select * into m from card_moves where id = move and here in (from_partner, to_partner) for update;
  if m.id is null or m.undone_at is not null or m.moved_at < now() - interval '1 day' then
    return 'expired';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('card-home:' || m.home_key, 0));
  perform set_config('dineback.partner', m.from_partner, true);
  perform from members where id = m.from_member for update;
  if not exists (select from members where id = m.from_member and deleted_at is null) then
    answer := 'gone';
  elsif (select count(*) from cards where member_id = m.from_member and removed_at is null) >= most_there then
    answer := 'full';
  end if;
  if answer is null then
    perform set_config('dineback.partner', m.to_partner, true);
    if exists (select from card_homes where home_key = m.home_key and card_id is distinct from m.to_card) then
      answer := 'gone';
    elsif exists (select from cards where id = m.to_card and removed_at is null) then
      perform unlink_card(m.to_card);
    end if;
  end if;
  if answer is null then
    perform set_config('dineback.partner', m.from_partner, true);
    update cards set removed_at = null where id = m.from_card;
    update members set member_type = 'EnrolledCardMember', active = true where id = m.from_member;
    update card_moves set undone_at = now() where id = move;
    answer := 'undone';
  end if;
  perform set_config('dineback.partner', here, true);
  return answer;
end
$$;

revoke execute on function card_home, unlink_card, release_card, undo_card_move, keep_card_home from public;
grant execute on function card_home, release_card, undo_card_move to dineback_app;

-- Cards that a partner has loaded for its members: not linked before the member says so. The number is in the vault alone.
create table partner_cards (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  -- Whose it is: a member's public id, or who it is at the partner's identity provider. Never what people type in by
  -- themselves, an e-mail address or a number: whoever joined with somebody else's would be offered their cards.
  holder text not null,
  -- The partner's own name for the card.
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
call build_wall('partner_cards');
grant select, insert, update, delete on partner_cards to dineback_app;
