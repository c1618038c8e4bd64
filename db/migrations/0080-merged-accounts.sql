-- Two accounts of one person become one: an operator merges one account into another, which has its rows from then on. The
-- merged account stays, closed for good, with its past postings, consents, emails and events.
alter table members
  -- The account that has its rows now. When that one is merged too, the account that has them then.
  add column merged_into_id bigint,
  add foreign key (partner_id, merged_into_id) references members (partner_id, id),
  add constraint members_not_into_itself check (merged_into_id <> id),
  -- Its address and its number open nothing.
  add constraint members_merged_are_closed
    check (merged_into_id is null or (member_type = 'ClosedAccountMember' and not active and not email_identifies));
create index members_merged on members (merged_into_id) where merged_into_id is not null;

-- One row for each merge, with the account that was kept at that time. Its journal entries have the source `merge` and its
-- public id.
create table member_merges (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  public_id text not null unique,
  member_id bigint not null,
  merged_member_id bigint not null unique,
  -- The merged account no longer has its address for itself.
  email_was_verified boolean not null,
  merged_at timestamptz not null default now(),
  foreign key (partner_id, member_id) references members (partner_id, id),
  foreign key (partner_id, merged_member_id) references members (partner_id, id)
);
create index member_merges_by_member on member_merges (member_id);
call enable_tenant_isolation('member_merges');
grant select, insert on member_merges to dineback_app;

alter table journal_entries drop constraint journal_entries_kind_check;
alter table journal_entries add constraint journal_entries_kind_check check (kind in ('award', 'correction', 'refund',
  'statement-credit', 'adjustment', 'returned-credit', 'debt', 'written-off-debt', 'merge'));

grant update (member_id) on identities, member_notes to dineback_app;
-- A bonus that one account has activated and the other one has earned.
grant delete on member_bonuses to dineback_app;

-- Nobody signs in to a merged account, whatever the application does.
create function refuse_merged_account() returns trigger language plpgsql as $$
begin
  if exists (select from members where id = new.member_id and merged_into_id is not null) then
    raise exception 'the account % is merged into another one', new.member_id using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger refuse_merged_account before insert or update of member_id on sessions
  for each row when (new.member_id is not null) execute function refuse_merged_account();
create trigger refuse_merged_account before insert or update of member_id on credentials
  for each row execute function refuse_merged_account();
create trigger refuse_merged_account before insert or update of member_id on passkeys
  for each row execute function refuse_merged_account();
create trigger refuse_merged_account before insert or update of member_id on identities
  for each row execute function refuse_merged_account();
create trigger refuse_merged_account before insert or update of member_id on cards
  for each row execute function refuse_merged_account();

-- The vault knows a card by the account in which it was typed.
alter table cards add column vault_holder text;
create or replace function find_card_in_other_program(key text) returns table (partner text, card bigint, holder text)
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
  return query select home.partner_id, home.card_id, coalesce(c.vault_holder, m.public_id)::text
    from cards c join members m on m.id = c.member_id where c.id = home.card_id;
  perform set_config('dineback.partner', caller, true);
end
$$;

-- What no role of the application may write: moves of cards between programs, and what reports count. Accounts that were
-- merged into the merged one follow it.
create function follow_merge() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update members set merged_into_id = new.merged_into_id where merged_into_id = new.id;
  update report_facts set member_id = new.merged_into_id where member_id = new.id;
  update card_moves set from_member = new.merged_into_id where from_partner = new.partner_id and from_member = new.id;
  update card_moves set to_member = new.merged_into_id where to_partner = new.partner_id and to_member = new.id;
  update card_move_requests set from_member = new.merged_into_id
    where from_partner = new.partner_id and from_member = new.id;
  update card_move_requests set to_member = new.merged_into_id
    where to_partner = new.partner_id and to_member = new.id;
  return null;
end
$$;
revoke execute on function follow_merge from public;
create trigger follow_merge after update of merged_into_id on members
  for each row when (old.merged_into_id is null and new.merged_into_id is not null) execute function follow_merge();

-- A dine that moves to the account that has it by a merge is no new dine, and no lost one.
create or replace function note_changed_dines() returns trigger language plpgsql as $$
begin
  insert into report_facts (partner_id, kind, subject_id, member_id, merchant_id, count, cents)
    select partner_id, 'dine', id, member_id, merchant_id, sum(counted), sum(cents) from (
      select partner_id, id, member_id, merchant_id, 1 as counted, cleared_cents - refunded_cents as cents from new_rows
        where member_id is not null and unmatched is null and type_code = 'S' and stage <> 'authorized'
      union all
      select o.partner_id, o.id, coalesce(m.merged_into_id, o.member_id), o.merchant_id, -1, o.refunded_cents - o.cleared_cents
        from old_rows o join members m on m.id = o.member_id
        where o.unmatched is null and o.type_code = 'S' and o.stage <> 'authorized') both_states
    group by partner_id, id, member_id, merchant_id having sum(counted) <> 0 or sum(cents) <> 0 order by id, sum(counted);
  return null;
end
$$;
