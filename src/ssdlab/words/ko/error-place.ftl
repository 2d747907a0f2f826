# 결과를 쓸 곳.

place-made-up-by-kernel = `{ $place }`: 내용을 커널이 만드는 곳이므로 결과를 둘 수 없음
place-read-only = `{ $path }`에 쓸 수 없음: 파일 시스템이 읽기 전용임
place-permission-denied = `{ $path }`에 쓸 수 없음: `{ $place }`에 대한 권한이 없음
place-is-directory = `{ $path }`: 디렉터리임
place-name-file-in-it = 그 안의 파일 이름을 지정할 것
place-no-ordinary-file = `{ $path }`: 일반 파일이 아니며, 쓰면 일반 파일로 바뀜
place-name-another-file = 다른 파일을 지정할 것
place-no-page = `{ $path }`: HTML 페이지가 들어감
place-call-it = `{ $name }`(으)로 지을 것
place-exists = `{ $path }`: 이미 있음
place-of-others = `{ $path }`: ssdlab이 쓴 파일이 아니며, 쓰면 바뀜
place-name-another-or-remove = 다른 파일을 지정하거나 지울 것
place-no-parent = 디렉터리 `{ $parent }`이 없음
place-make-parent = 만들 것: `mkdir -p { $parent }`
place-no-directory = `{ $place }`: 디렉터리가 아님
place-cannot-make = `{ $path }`: 만들 수 없음: { $reason }
place-evidence = `{ $path }`: `{ $run }`에 있는 실행의 증거이므로 덮어쓰지 않음
place-name-another-directory = 다른 디렉터리를 지정할 것
