-- What requests that raced with a deletion have left behind: cards that their owners could never link again, notes and
-- receipts of claims, browsers, sessions, notifications, tables. Row-level security is forced for the owner, too.
create temporary table guarded on commit drop as
  select unnest(array['members', 'cards', 'claims', 'reservations', 'push_subscriptions', 'sessions', 'notices',
    'notice_choices']) as name;
do $$
declare t text;
begin
  for t in select name from guarded loop
    execute format('alter table %I no force row level security', t);
  end loop;
end
$$;

update cards set removed_at = now(), token = 'forgotten:' || id, fingerprint = 'forgotten:' || id, last_four = '0000',
    partner_card_id = null, home_key = null, expires = null
  where removed_at is null and member_id in (select id from members where deleted_at is not null);
update claims set note = '', receipt = null, receipt_name = null, receipt_type = null
  where member_id in (select id from members where deleted_at is not null);
update claims set decision = coalesce(decision, '{"code": "withdrawn", "words": "", "benefit": 0}'),
    decided_at = coalesce(decided_at, now()), settled_at = now()
  where settled_at is null and member_id in (select id from members where deleted_at is not null);
update reservations set status = 'cancelling', updated_at = now()
  where status in ('booking', 'booked') and (status = 'booking' or starts_at >= now())
    and member_id in (select id from members where deleted_at is not null);
delete from push_subscriptions where member_id in (select id from members where deleted_at is not null);
delete from notices where member_id in (select id from members where deleted_at is not null);
delete from notice_choices where member_id in (select id from members where deleted_at is not null);
delete from sessions where member_id in (select id from members where deleted_at is not null);

do $$
declare t text;
begin
  for t in select name from guarded loop
    execute format('alter table %I force row level security', t);
  end loop;
end
$$;
